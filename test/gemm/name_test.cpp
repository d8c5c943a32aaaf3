// The law of names: name_of and the parsers are inverse, for every field and every value, and wrong names say what is
// wrong.
#include "zellige/gemm/name.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "zellige/conv/name.hpp"

namespace zellige {
namespace {

constexpr GemmConfig plain{.tiling = {.block = {128, 128, 32}, .waves = {2, 2}, .atom = {32, 32, 8}}};

/// A value of the field's range: a word's number, or any number that a field may hold.
template <class Owner, class Random>
void randomise(const detail::ConfigField<Owner>& field, Owner& owner, Random& random) {
  for (int i = 0; i < field.parts; ++i) {
    const int limit = field.tokens.empty() ? 5000 : static_cast<int>(field.tokens.size()) - 1;
    field.part[i].set(owner, std::uniform_int_distribution<int>(0, limit)(random));
  }
}

template <class Config, class Fields, class Parse>
void round_trips(const Fields& fields, Parse parse) {
  std::mt19937 random(20240229);
  for (int round = 0; round < 4000; ++round) {
    Config config{};
    for (const auto& field : fields) {
      if (round % 3 != 0 || random() % 3 == 0) randomise(field, config, random);
    }
    for (const auto& field : detail::tiling_fields) {
      if (round % 3 != 0 || random() % 3 == 0) randomise(field, config.tiling, random);
    }
    const Arch arch = all_arches[random() % arch_count];
    const std::string name = name_of(arch, config);
    const auto parsed = parse(name);
    ASSERT_TRUE(parsed.ok()) << parsed.error;
    ASSERT_EQ(parsed.arch, arch) << name;
    ASSERT_TRUE(parsed.config == config) << name;
  }
}

TEST(GemmName, RoundTripsForRandomConfigs) { round_trips<GemmConfig>(detail::gemm_fields, parse_gemm_name); }
TEST(ConvName, RoundTripsForRandomConfigs) { round_trips<ConvConfig>(detail::conv_fields, parse_conv_fwd_name); }

template <class Config, class Fields>
void every_field_shows(const Fields& fields, const Config& base) {
  std::set<std::string> names{name_of(Arch::gfx942, base)};
  std::size_t changes = 0;
  for (const auto& field : fields) {
    for (int i = 0; i < field.parts; ++i, ++changes) {
      Config other = base;
      field.part[i].set(other, field.part[i].get(base) == 0 ? 1 : 0);
      names.insert(name_of(Arch::gfx942, other));
    }
  }
  for (const auto& field : detail::tiling_fields) {
    for (int i = 0; i < field.parts; ++i, ++changes) {
      Config other = base;
      field.part[i].set(other.tiling, field.part[i].get(base.tiling) == 0 ? 1 : 0);
      names.insert(name_of(Arch::gfx942, other));
    }
  }
  EXPECT_EQ(names.size(), changes + 1);
}

TEST(GemmName, EveryFieldShows) { every_field_shows(detail::gemm_fields, plain); }
TEST(ConvName, EveryFieldShows) { every_field_shows(detail::conv_fields, ConvConfig{.tiling = plain.tiling}); }

TEST(GemmName, DefaultsAddNothing) {
  EXPECT_EQ(name_of(Arch::gfx942, plain), "gemm_gfx942_f16_b128x128x32_w2x2_a32x32x8");
}

TEST(GemmName, SpellsEveryField) {
  const GemmConfig config{.input = DataType::bf16,
                          .output = DataType::f32,
                          .order_a = MatrixOrder::column,
                          .order_b = MatrixOrder::row,
                          .tiling = {.block = {64, 32, 16},
                                     .waves = {2, 1},
                                     .atom = {16, 16, 16},
                                     .pipeline = Pipeline::single_buffer,
                                     .lds = LdsLayout::padded,
                                     .vector_a = 4,
                                     .vector_b = 1,
                                     .vector_c = 2,
                                     .walk = Walk::run,
                                     .store = Store::lds_shuffle,
                                     .min_blocks = 3,
                                     .staging = Staging::direct_to_lds,
                                     .transpose = Transpose::on_read,
                                     .scheduling = Scheduling::ping_pong,
                                     .load_waves = 2}};
  EXPECT_EQ(name_of(Arch::sm_90, config),
            "gemm_sm_90_bf16_f32_cr_b64x32x16_w2x1_a16x16x16_single_pad_va4_vb1_vc2_run_shuffle_mb3_dtl_trr_"
            "pingpong_lw2");
}

TEST(ConvName, ThirdAxisAndMixedTypes) {
  const ConvConfig config{.input = DataType::bf16, .output = DataType::bf16, .spatial = 3, .tiling = plain.tiling};
  EXPECT_EQ(name_of(Arch::gfx950, config), "conv_fwd_gfx950_bf16_d3_b128x128x32_w2x2_a32x32x8");
}

void expect_error(const std::string& name, const std::string& part) {
  const auto parsed = parse_gemm_name(name);
  EXPECT_FALSE(parsed.ok()) << name;
  EXPECT_NE(parsed.error.find(part), std::string::npos) << parsed.error;
}

TEST(GemmName, WrongNamesSayWhatIsWrong) {
  expect_error("", "does not begin with 'gemm_'");
  expect_error("conv_fwd_gfx942_f16", "does not begin with 'gemm_'");
  expect_error("gemm_gfx9420_f16_b1x1x1_w1x1_a1x1x1", "'gfx9420' is no known target");
  expect_error("gemm_gfx942", "ends before its input");
  expect_error("gemm_gfx942_", "'' is no input");
  expect_error("gemm_gfx942_f17_b1x1x1_w1x1_a1x1x1", "'f17' is no input");
  expect_error("gemm_gfx942_f16_b1x1_w1x1_a1x1x1", "'b1x1' is no block");
  expect_error("gemm_gfx942_f16_b1x1x1_a1x1x1", "'a1x1x1' is no waves");
  expect_error("gemm_gfx942_f16_b1x1x1_w1x1", "ends before its atom");
  expect_error("gemm_gfx942_f16_b1x1x1_w1x1_a1x1x1_blue", "'blue' is no field");
  expect_error("gemm_gfx942_f16_b1x1x1_w1x1_a1x1x1_va4_pad", "'pad' is no field, or stands in the wrong place");
  expect_error("gemm_gfx942_f16_b1x1x1_w1x1_a1x1x1_va8", "its name is 'gemm_gfx942_f16_b1x1x1_w1x1_a1x1x1'");
  expect_error("gemm_gfx942_f16_f16_b1x1x1_w1x1_a1x1x1", "its name is");
  expect_error("gemm_gfx942_f16_b01x1x1_w1x1_a1x1x1", "its name is");
  expect_error("gemm_gfx942_f16_b1x1x12345678901_w1x1_a1x1x1", "is no block");
}

TEST(GemmName, lesson14_overlong_names_are_errors_and_leave_a_default_config) {
  for (const std::string& name :
       {std::string(100000, '_'), "gemm_gfx942_f16_b" + std::string(100000, '1') + "x1x1_w1x1_a1x1x1",
        "gemm_gfx942_f16_b1x1x1_w1x1_a1x1x1" + std::string(100000, 'x')}) {
    const auto parsed = parse_gemm_name(name);
    EXPECT_FALSE(parsed.ok());
    EXPECT_FALSE(parsed.error.empty());
  }
}

TEST(GemmName, ValuesListEveryFieldOnce) {
  const auto values = values_of(plain);
  std::set<std::string> keys;
  for (const auto& value : values) keys.insert(value.key);
  EXPECT_EQ(keys.size(), values.size());
  EXPECT_EQ(std::get<std::string>(values[0].value), "f16");
  EXPECT_EQ(std::get<std::string>(values[3].value), "rc");
  EXPECT_EQ(std::get<std::vector<int>>(values[4].value), (std::vector<int>{128, 128, 32}));
  EXPECT_EQ(std::get<std::string>(values[7].value), "double_buffer");
  EXPECT_EQ(std::get<int>(values[9].value), 8);
}

}  // namespace
}  // namespace zellige
