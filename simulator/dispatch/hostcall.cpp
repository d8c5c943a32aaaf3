// The host side of device calls; hostcall.hpp says how it works.
#include "simulator/dispatch/hostcall.hpp"

#include <bit>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "simulator/memory/arena.hpp"

namespace zellige::sim {
namespace {

constexpr std::uint32_t packets = 256;  // in flight at a time; waves that find none wait

enum Service : std::uint32_t { service_printf = 2, service_device_memory = 3 };

/// The buffer's layout, as the device library declares it.
struct Buffer {
  std::uint64_t headers, payloads, doorbell, free_stack, ready_stack, index_mask;
};
struct Header {
  std::uint64_t next, active_lanes;
  std::uint32_t service, control;  ///< control bit 0: the packet waits for the host
};
struct Payload {
  std::uint64_t slots[64][8];
};
static_assert(sizeof(Header) == 24 && sizeof(Payload) == 4096);

/// A slot's first word in a message: flags, count of the words that follow, number of the message.
struct Descriptor {
  bool begin, end;
  std::uint64_t words, id;
  explicit Descriptor(std::uint64_t word) : begin(word & 1), end(word >> 1 & 1), words(word >> 5 & 7), id(word >> 8) {}
};

/// One conversion with its stars filled in, and its argument.
template <class Value>
std::string convert(const std::string& spec, const std::vector<int>& stars, Value value) {
  const auto print = [&](char* to, std::size_t bytes) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
    switch (stars.size()) {
      case 0:
        return std::snprintf(to, bytes, spec.c_str(), value);
      case 1:
        return std::snprintf(to, bytes, spec.c_str(), stars[0], value);
      default:
        return std::snprintf(to, bytes, spec.c_str(), stars[0], stars[1], value);
    }
#pragma clang diagnostic pop
  };
  const int length = print(nullptr, 0);
  if (length < 0) return spec;
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  print(text.data(), text.size());
  text.pop_back();
  return text;
}

}  // namespace

Hostcall& Hostcall::instance() {
  static Hostcall* hostcall = new Hostcall;
  return *hostcall;
}

std::uint64_t Hostcall::buffer() {
  const std::lock_guard guard(lock_);
  if (buffer_) return buffer_;
  constexpr std::size_t header_at = 256, payload_at = 8192;
  static_assert(header_at + packets * sizeof(Header) <= payload_at);
  auto* memory = static_cast<std::uint8_t*>(Arena::instance().allocate_host(payload_at + packets * sizeof(Payload)));
  if (!memory) throw std::bad_alloc();
  std::memset(memory, 0, payload_at);
  buffer_ = reinterpret_cast<std::uint64_t>(memory);
  auto* buffer = reinterpret_cast<Buffer*>(memory);
  buffer->headers = buffer_ + header_at;
  buffer->payloads = buffer_ + payload_at;
  buffer->doorbell = buffer_ + 128;  // a signal without a mailbox: ringing adds to its value
  buffer->index_mask = packets - 1;
  // The free stack links every packet. Links carry a tag above the index, so that 0 means the end.
  auto* headers = reinterpret_cast<Header*>(buffer->headers);
  std::uint64_t next = 0;
  for (std::uint32_t i = 0; i < packets; ++i) {
    headers[i].next = next;
    next = packets + i;
  }
  buffer->free_stack = next;
  return buffer_;
}

void Hostcall::serve() {
  const std::lock_guard guard(lock_);
  if (!buffer_) return;
  auto* buffer = reinterpret_cast<Buffer*>(buffer_);
  auto* headers = reinterpret_cast<Header*>(buffer->headers);
  auto* payloads = reinterpret_cast<Payload*>(buffer->payloads);
  std::uint64_t waiting = __atomic_exchange_n(&buffer->ready_stack, 0, __ATOMIC_ACQUIRE);
  std::vector<std::uint64_t> arrived;
  for (; waiting; waiting = headers[waiting & buffer->index_mask].next) arrived.push_back(waiting & buffer->index_mask);
  for (auto it = arrived.rbegin(); it != arrived.rend(); ++it) {  // a stack: the oldest is last
    Header& header = headers[*it];
    for (std::uint64_t lanes = header.active_lanes; lanes; lanes &= lanes - 1)
      answer(header.service, payloads[*it].slots[std::countr_zero(lanes)]);
    __atomic_store_n(&header.control, header.control & ~1u, __ATOMIC_RELEASE);
  }
}

void Hostcall::answer(std::uint32_t service, std::uint64_t* slots) {
  switch (service) {
    case service_printf:
      message(slots);
      break;
    case service_device_memory:  // {pointer, 0} frees, {0, bytes} allocates
      if (slots[0])
        Arena::instance().release(reinterpret_cast<void*>(slots[0]));
      else
        slots[0] = reinterpret_cast<std::uint64_t>(Arena::instance().allocate(slots[1], 0));
      break;
    default:
      throw std::runtime_error("a kernel asks the host for service " + std::to_string(service) +
                               "; 2 (printf) and 3 (device memory) are known");
  }
}

/// A message is a sequence of packets: the first begins it and gets its number, the last prints it.
void Hostcall::message(std::uint64_t* slots) {
  const Descriptor descriptor(slots[0]);
  std::uint64_t id = descriptor.id;
  if (descriptor.begin) {
    id = next_message_++;
    slots[0] = (slots[0] & 0xfe) | id << 8;
  }
  std::vector<std::uint64_t>& words = messages_[id];
  words.insert(words.end(), slots + 1, slots + 1 + descriptor.words);
  if (!descriptor.end) return;
  if (!words.empty()) {
    const bool to_stderr = words[0] & 1;
    const std::string text = format_printf({words.begin() + 1, words.end()});
    std::fwrite(text.data(), 1, text.size(), to_stderr ? stderr : stdout);
    std::fflush(to_stderr ? stderr : stdout);
  }
  messages_.erase(id);
}

std::string format_printf(const std::vector<std::uint64_t>& words) {
  std::size_t at = 0;
  // The zero-terminated text at word `at`, and past it.
  const auto take_text = [&]() -> std::string {
    const char* begin = reinterpret_cast<const char*>(words.data() + at);
    const std::size_t length = strnlen(begin, (words.size() - at) * 8);
    at = std::min(words.size(), at + (length + 8) / 8);
    return {begin, length};
  };
  if (words.empty()) return "";
  const std::string format = take_text();
  std::string out;
  for (std::size_t i = 0; i < format.size();) {
    if (format[i] != '%') {
      out += format[i++];
      continue;
    }
    if (format.compare(i, 2, "%%") == 0) {
      out += '%';
      i += 2;
      continue;
    }
    const std::size_t end = format.find_first_of("diouxXfFeEgGaAcspn", i + 1);
    if (end == std::string::npos) return out + format.substr(i);
    std::string spec = format.substr(i, end + 1 - i);
    i = end + 1;
    std::vector<int> stars;
    for (const char c : spec)
      if (c == '*' && at < words.size() && stars.size() < 2) stars.push_back(static_cast<int>(words[at++]));
    if (at >= words.size()) {
      out += spec;
      continue;
    }
    const char kind = spec.back();
    if (kind == 's') {
      const std::string text = take_text();
      out += convert(spec, stars, text.c_str());
    } else if (kind == 'n') {
      ++at;  // nothing is written through device pointers
    } else if (std::string_view("fFeEgGaA").find(kind) != std::string_view::npos) {
      out += convert(spec, stars, std::bit_cast<double>(words[at++]));
    } else if (kind == 'p') {
      out += convert(spec, stars, reinterpret_cast<void*>(words[at++]));
    } else {
      // Arguments are 64 bits wide whatever the length modifier says; the conversion must read as many.
      const std::uint64_t value = words[at++];
      if (spec.find_first_of("lqjzt") != std::string::npos)
        out += convert(spec, stars, value);
      else
        out += convert(spec, stars, static_cast<std::uint32_t>(value));
    }
  }
  return out;
}

}  // namespace zellige::sim
