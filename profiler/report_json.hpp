// Reports as JSON, schema 1 (docs/profiler.md). Keys are never renamed or removed; numbers that are absent are null.
#pragma once

#include <nlohmann/json.hpp>

#include "report.hpp"

namespace zellige::profiler {

inline constexpr int json_schema = 1;

/// The whole report as one object.
nlohmann::ordered_json to_json(const Report& report, const Options& options);

/// A line of replay that never became a problem: the same keys, with the reason in "error".
nlohmann::ordered_json failed_line_json(const std::string& line, int line_number, const Failure& failure,
                                        const ChosenDevice& device, const Options& options);

nlohmann::ordered_json device_json(const ChosenDevice& device);

/// One line of UTF-8, whatever bytes the texts hold.
std::string dump(const nlohmann::ordered_json& json);

}  // namespace zellige::profiler
