// Reports as CSV (RFC 4180): a header, then a row for each instance of each problem.
#pragma once

#include "report.hpp"

namespace zellige::profiler {

std::string csv_header();
std::string to_csv(const Report& report);

/// The text as one field: quoted where it holds a comma, a quote or an end of line.
std::string csv_field(std::string_view text);

}  // namespace zellige::profiler
