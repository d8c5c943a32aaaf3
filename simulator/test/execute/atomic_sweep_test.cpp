// Every atomic of global, flat, buffer memory and of the LDS, from text, against the ISA's definitions.
//
// Each lane updates a cell of its own, with edge values in the cell, the data and the comparand; then all lanes update
// one cell with an operation whose result does not depend on their order.
#include <algorithm>
#include <cstring>

#include "simulator/test/execute/half_values.hpp"
#include "simulator/test/execute/memory_machine.hpp"
#include "simulator/test/execute/valu_table.hpp"

namespace zellige::sim::test {
namespace {

using Update = u64 (*)(u64 old, u64 data, u64 compare);

u64 low(u64 x) { return x & 0xffffffff; }
i64 sgn(u64 x) { return static_cast<i32>(x); }
float f(u64 x) { return as_float(static_cast<u32>(x)); }
double d(u64 x) { return as_double(x); }

/// A number beats NaN; -0 is below +0.
template <class T>
bool below(T a, T b) {
  return std::isnan(b) ? !std::isnan(a) : a < b || (a == b && std::signbit(a) && !std::signbit(b));
}
u32 bfloat_sum(u32 a, u32 b) {
  const float sum = as_float(a << 16) + as_float(b << 16);
  const u32 s = bits(sum);
  return std::isnan(sum) ? 0x7fc0 : (s + 0x7fff + (s >> 16 & 1)) >> 16;
}

struct Kind {
  const char* memory;  ///< "add": global_atomic_add; nullptr: the LDS alone has it
  const char* lds;     ///< "add_u32": ds_add_u32 and ds_add_rtn_u32; nullptr: memory alone has it
  int bits;
  Update update;
  bool compares = false;
  enum { integers, floats, halves, bfloats } values = integers;
};

const Kind kinds[] = {
    {"swap", nullptr, 32, [](u64, u64 x, u64) { return x; }},
    {"add", "add_u32", 32, [](u64 m, u64 x, u64) { return low(m + x); }},
    {"sub", "sub_u32", 32, [](u64 m, u64 x, u64) { return low(m - x); }},
    {nullptr, "rsub_u32", 32, [](u64 m, u64 x, u64) { return low(x - m); }},
    {"smin", "min_i32", 32, [](u64 m, u64 x, u64) { return low(static_cast<u64>(std::min(sgn(m), sgn(x)))); }},
    {"smax", "max_i32", 32, [](u64 m, u64 x, u64) { return low(static_cast<u64>(std::max(sgn(m), sgn(x)))); }},
    {"umin", "min_u32", 32, [](u64 m, u64 x, u64) { return std::min(m, x); }},
    {"umax", "max_u32", 32, [](u64 m, u64 x, u64) { return std::max(m, x); }},
    {"and", "and_b32", 32, [](u64 m, u64 x, u64) { return m & x; }},
    {"or", "or_b32", 32, [](u64 m, u64 x, u64) { return m | x; }},
    {"xor", "xor_b32", 32, [](u64 m, u64 x, u64) { return (m | x) - (m & x); }},
    {"inc", "inc_u32", 32, [](u64 m, u64 x, u64) { return m >= x ? 0 : m + 1; }},
    {"dec", "dec_u32", 32, [](u64 m, u64 x, u64) { return m == 0 || m > x ? x : m - 1; }},
    {"cmpswap", "cmpst_b32", 32, [](u64 m, u64 x, u64 c) { return m == c ? x : m; }, true},
    {nullptr, "cmpst_f32", 32, [](u64 m, u64 x, u64 c) { return f(m) == f(c) ? x : m; }, true, Kind::floats},
    {nullptr, "mskor_b32", 32, [](u64 m, u64 x, u64 c) { return (m & ~c) | x; }, true},
    {nullptr, "min_f32", 32, [](u64 m, u64 x, u64) { return below(f(x), f(m)) ? x : m; }, false, Kind::floats},
    {nullptr, "max_f32", 32, [](u64 m, u64 x, u64) { return below(-f(x), -f(m)) ? x : m; }, false, Kind::floats},
    {"add_f32", "add_f32", 32, [](u64 m, u64 x, u64) { return u64{bits(static_cast<float>(double(f(m)) + f(x)))}; },
     false, Kind::floats},
    {"pk_add_f16", "pk_add_f16", 32,
     [](u64 m, u64 x, u64) {
       const u32 a = static_cast<u32>(m), b = static_cast<u32>(x);
       return u64{half_of(half_value(a) + half_value(b)) | half_of(half_value(a >> 16) + half_value(b >> 16)) << 16};
     },
     false, Kind::halves},
    {"pk_add_bf16", "pk_add_bf16", 32,
     [](u64 m, u64 x, u64) {
       return u64{bfloat_sum(static_cast<u32>(m), static_cast<u32>(x)) |
                  bfloat_sum(static_cast<u32>(m >> 16), static_cast<u32>(x >> 16)) << 16};
     },
     false, Kind::bfloats},
    {"swap_x2", nullptr, 64, [](u64, u64 x, u64) { return x; }},
    {"add_x2", "add_u64", 64, [](u64 m, u64 x, u64) { return m + x; }},
    {"sub_x2", "sub_u64", 64, [](u64 m, u64 x, u64) { return m - x; }},
    {nullptr, "rsub_u64", 64, [](u64 m, u64 x, u64) { return x - m; }},
    {"smin_x2", "min_i64", 64,
     [](u64 m, u64 x, u64) { return static_cast<u64>(std::min(static_cast<i64>(m), static_cast<i64>(x))); }},
    {"smax_x2", "max_i64", 64,
     [](u64 m, u64 x, u64) { return static_cast<u64>(std::max(static_cast<i64>(m), static_cast<i64>(x))); }},
    {"umin_x2", "min_u64", 64, [](u64 m, u64 x, u64) { return std::min(m, x); }},
    {"umax_x2", "max_u64", 64, [](u64 m, u64 x, u64) { return std::max(m, x); }},
    {"and_x2", "and_b64", 64, [](u64 m, u64 x, u64) { return m & x; }},
    {"or_x2", "or_b64", 64, [](u64 m, u64 x, u64) { return m | x; }},
    {"xor_x2", "xor_b64", 64, [](u64 m, u64 x, u64) { return (m | x) - (m & x); }},
    {"inc_x2", "inc_u64", 64, [](u64 m, u64 x, u64) { return m >= x ? 0 : m + 1; }},
    {"dec_x2", "dec_u64", 64, [](u64 m, u64 x, u64) { return m == 0 || m > x ? x : m - 1; }},
    {"cmpswap_x2", "cmpst_b64", 64, [](u64 m, u64 x, u64 c) { return m == c ? x : m; }, true},
    {nullptr, "cmpst_f64", 64, [](u64 m, u64 x, u64 c) { return d(m) == d(c) ? x : m; }, true, Kind::floats},
    {nullptr, "mskor_b64", 64, [](u64 m, u64 x, u64 c) { return (m & ~c) | x; }, true},
    {"add_f64", "add_f64", 64, [](u64 m, u64 x, u64) { return bits(d(m) + d(x)); }, false, Kind::floats},
    {"min_f64", "min_f64", 64, [](u64 m, u64 x, u64) { return below(d(x), d(m)) ? x : m; }, false, Kind::floats},
    {"max_f64", "max_f64", 64, [](u64 m, u64 x, u64) { return below(-d(x), -d(m)) ? x : m; }, false, Kind::floats},
};

bool same(const Kind& kind, u64 x, u64 y) {
  if (x == y) return true;
  const u32 a = static_cast<u32>(x), b = static_cast<u32>(y);
  const auto nan_bfloat = [](u32 v) { return (v & 0x7fff) > 0x7f80; };
  switch (kind.values) {
    case Kind::floats:
      return kind.bits == 64 ? same_double(x, y) : same_float(a, b);
    case Kind::halves:
      return same_half(a & 0xffff, b & 0xffff) && same_half(a >> 16, b >> 16);
    case Kind::bfloats:
      return ((a & 0xffff) == (b & 0xffff) || (nan_bfloat(a) && nan_bfloat(b))) &&
             (a >> 16 == b >> 16 || (nan_bfloat(a >> 16) && nan_bfloat(b >> 16)));
    default:
      return false;
  }
}

u64 edge(const Kind& kind, std::size_t i) {
  static const auto halves = half_pairs();
  if (kind.values == Kind::halves) return halves[i % halves.size()];
  if (kind.values == Kind::bfloats)
    return bits(edge_floats()[i % 32]) >> 16 | (bits(edge_floats()[(i * 5 + 1) % 32]) & 0xffff0000u);
  if (kind.values == Kind::floats) return kind.bits == 64 ? bits(edge_doubles()[i % 32]) : bits(edge_floats()[i % 32]);
  const u64 word = edge_integers()[i % 32];
  return kind.bits == 32 ? word : word | u64{edge_integers()[(i * 7 + 3) % 32]} << 32;
}

constexpr u64 some_lanes = 0xf00f'8421'5a5a'ffff;

/// One of the forms of a kind: `text` updates the cells that v[2:3] (LDS: v2) address with v[4:5] (compares: and
/// v[6:7]) and returns the old values in v[8:9] when `returns`.
void check(const Kind& kind, const std::string& target, const std::string& text, bool returns, bool lds,
           bool compare_behind_data) {
  AssemblyMachine machine(target);
  alignas(64) static std::uint8_t local[4096];
  DeviceBytes memory(4096);
  std::uint8_t* cells = lds ? local : memory.data();
  machine.group().lds = local;
  machine.group().lds_bytes = sizeof local;
  machine.set_s64(8, memory.address());
  machine.s(10) = 4096;
  machine.s(11) = 0x00027000;
  machine.prepare(text);
  const std::size_t bytes = static_cast<std::size_t>(kind.bits / 8);
  const std::uint32_t first = 64;  // as the texts' offset says
  for (std::size_t round = 0; round < 8; ++round) {
    std::vector<u64> old(64), data(64), compare(64);
    machine.set_exec(round % 2 == 0 ? ~u64{0} : some_lanes);
    for (std::size_t i = 0; i < 64; ++i) {
      const int lane = static_cast<int>(i);
      old[i] = edge(kind, i + round);
      data[i] = edge(kind, i * 5 + round * 3 + i / 32);
      compare[i] = i % 3 == 0 ? old[i] : edge(kind, i * 11 + round);
      std::memcpy(cells + first + i * 16, &old[i], bytes);
      if (lds || text.starts_with("buffer"))
        machine.v(2, lane) = static_cast<u32>(i * 16);
      else
        machine.set_v64(2, lane, memory.address() + i * 16);
      machine.set_v64(8, lane, u64{old_value} << 32 | old_value);
      // Memory takes data and comparand in one operand, the LDS the comparand first in operands of their own.
      const int words = kind.bits / 32, data_at = compare_behind_data || !kind.compares ? 4 : 6;
      const int compare_at = compare_behind_data ? 4 + words : 4;
      for (int w = 0; w < words; ++w) {
        if (kind.compares) machine.v(compare_at + w, lane) = static_cast<u32>(compare[i] >> 32 * w);
        machine.v(data_at + w, lane) = static_cast<u32>(data[i] >> 32 * w);
      }
    }
    const bool in_place = text.starts_with("buffer");  // the old value replaces the data
    ASSERT_EQ(machine.execute(), "") << text;
    for (std::size_t i = 0; i < 64; ++i) {
      const int lane = static_cast<int>(i);
      const bool active = (round % 2 == 0 ? ~u64{0} : some_lanes) >> i & 1;
      u64 now = 0;
      std::memcpy(&now, cells + first + i * 16, bytes);
      const u64 expected = active ? kind.update(old[i], data[i], compare[i]) : old[i];
      ASSERT_TRUE(same(kind, now, expected)) << text << std::hex << ": 0x" << old[i] << " with 0x" << data[i] << ", 0x"
                                             << compare[i] << " became 0x" << now << ", not 0x" << expected;
      if (!returns || !active) continue;
      const u64 result = kind.bits == 64 ? machine.v64(in_place ? 4 : 8, lane) : machine.v(in_place ? 4 : 8, lane);
      ASSERT_EQ(result, old[i]) << text << " lane " << lane;
    }
  }
  machine.judged();
}

std::string registers(int first, int words) {
  return words == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + words - 1) + "]";
}

TEST(AtomicSweep, GlobalFlatAndBuffer) {
  for (const Kind& kind : kinds) {
    if (kind.memory == nullptr) continue;
    const std::string name = kind.memory;
    const int words = kind.bits / 32;
    const std::string data = registers(4, kind.compares ? 2 * words : words), result = registers(8, words);
    const std::string newest = name == "pk_add_bf16" ? "gfx950" : "gfx942";
    for (const bool returns : {false, true}) {
      const std::string to = returns ? result + ", " : "", flags = returns ? " sc0" : "";
      check(kind, newest, "global_atomic_" + name + " " + to + "v[2:3], " + data + ", off offset:64" + flags, returns,
            false, true);
      check(kind, newest, "flat_atomic_" + name + " " + to + "v[2:3], " + data + " offset:64" + flags, returns, false,
            true);
      check(kind, newest, "buffer_atomic_" + name + " " + data + ", v2, s[8:11], 0 offen offset:64" + flags, returns,
            false, true);
    }
  }
}

TEST(AtomicSweep, Lds) {
  for (const Kind& kind : kinds) {
    if (kind.lds == nullptr) continue;
    const std::string name = kind.lds, type = name.substr(name.rfind('_')), stem = name.substr(0, name.rfind('_'));
    const int words = kind.bits / 32;
    const std::string data = registers(4, words) + (kind.compares ? ", " + registers(6, words) : "");
    check(kind, "gfx942", "ds_" + name + " v2, " + data + " offset:64", false, true, false);
    check(kind, "gfx942", "ds_" + stem + "_rtn" + type + " " + registers(8, words) + ", v2, " + data + " offset:64",
          true, true, false);
  }
  const Kind exchange32{nullptr, "wrxchg", 32, [](u64, u64 x, u64) { return x; }};
  const Kind exchange64{nullptr, "wrxchg", 64, [](u64, u64 x, u64) { return x; }};
  check(exchange32, "gfx942", "ds_wrxchg_rtn_b32 v8, v2, v4 offset:64", true, true, false);
  check(exchange64, "gfx942", "ds_wrxchg_rtn_b64 v[8:9], v2, v[4:5] offset:64", true, true, false);
  // The limit comes first: at or above it the limit is taken off, below it the second operand is added.
  const Kind wrap{nullptr, "wrap", 32, [](u64 m, u64 x, u64 c) { return low(m >= c ? m - c : m + x); }, true};
  check(wrap, "gfx942", "ds_wrap_rtn_b32 v8, v2, v4, v6 offset:64", true, true, false);
}

TEST(AtomicSweep, LanesThatShareACellAllCount) {
  struct Row {
    const char* name;
    u64 start, result;
    int bits = 32;
  };
  // Lane l brings l + 1.
  const Row rows[] = {{"add", 5, 5 + 2080},
                      {"sub", 5000, 5000 - 2080},
                      {"umax", 3, 64},
                      {"umin", 30, 1},
                      {"or", 0, 127},
                      {"xor", 0, 64},
                      {"and", 0xffffffff, 0},
                      {"add_x2", 5, 2085, 64},
                      {"smax_x2", ~u64{0}, 64, 64}};
  for (const Row& row : rows) {
    AssemblyMachine machine;
    DeviceBytes memory(256);
    std::memcpy(memory.data(), &row.start, 8);
    u64 seen = 0;
    for (int lane = 0; lane < 64; ++lane) {
      machine.set_v64(2, lane, memory.address());
      machine.set_v64(4, lane, static_cast<u64>(lane) + 1);
    }
    const bool wide = row.bits == 64;
    machine.run(std::string("global_atomic_") + row.name +
                (wide ? " v[8:9], v[2:3], v[4:5], off sc0" : " v8, v[2:3], v4, off sc0"));
    u64 now = 0;
    std::memcpy(&now, memory.data(), wide ? 8 : 4);
    EXPECT_EQ(now, row.result) << row.name;
    for (int lane = 0; lane < 64; ++lane) seen += machine.v(8, lane) == static_cast<u32>(row.start);
    EXPECT_GE(seen, 1u) << row.name << ": one lane came first";
  }
}

}  // namespace
}  // namespace zellige::sim::test
