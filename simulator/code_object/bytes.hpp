// Bounds-checked reading of bytes that came from a file or from another compiler.
//
// Law: no read passes the end of the view; a read that would is a CodeObjectError that says what was read, where, and
// how many bytes there are.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace zellige::sim {

/// A code object or bundle that cannot be used; the text is a sentence with the numbers.
struct CodeObjectError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Bytes {
 public:
  Bytes() = default;
  explicit Bytes(std::span<const std::uint8_t> data) : data_(data) {}
  Bytes(const void* data, std::size_t bytes) : data_(static_cast<const std::uint8_t*>(data), bytes) {}

  std::size_t size() const { return data_.size(); }
  const std::uint8_t* data() const { return data_.data(); }
  std::span<const std::uint8_t> span() const { return data_; }

  /// [offset, offset + bytes), or an error that calls it `what`.
  Bytes slice(std::uint64_t offset, std::uint64_t bytes, std::string_view what) const {
    if (offset > data_.size() || bytes > data_.size() - offset)
      throw CodeObjectError(std::string(what) + " spans bytes " + std::to_string(offset) + " to " +
                            std::to_string(offset) + "+" + std::to_string(bytes) + ", but there are " +
                            std::to_string(data_.size()));
    return Bytes(data_.subspan(offset, bytes));
  }

  /// The T at `offset`, little-endian, at any alignment.
  template <class T>
  T read(std::uint64_t offset, std::string_view what) const {
    T value;
    std::memcpy(&value, slice(offset, sizeof(T), what).data(), sizeof(T));
    return value;
  }

  /// The zero-terminated text at `offset`.
  std::string_view text(std::uint64_t offset, std::string_view what) const {
    const Bytes rest = slice(offset, data_.size() - (offset < data_.size() ? offset : data_.size()), what);
    const void* end = rest.size() ? std::memchr(rest.data(), 0, rest.size()) : nullptr;
    if (!end) throw CodeObjectError(std::string(what) + " at byte " + std::to_string(offset) + " has no end");
    return {reinterpret_cast<const char*>(rest.data()),
            static_cast<std::size_t>(static_cast<const std::uint8_t*>(end) - rest.data())};
  }

  bool begins_with(std::string_view magic) const {
    return data_.size() >= magic.size() && std::memcmp(data_.data(), magic.data(), magic.size()) == 0;
  }

 private:
  std::span<const std::uint8_t> data_;
};

}  // namespace zellige::sim
