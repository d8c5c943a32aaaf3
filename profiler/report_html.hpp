// Reports as one page of HTML that is complete in itself: plots are inline SVG, nothing is fetched when it is viewed.
#pragma once

#include <string>
#include <vector>

#include "report.hpp"

namespace zellige::profiler {

/// A section for each report; several are preceded by a plot of each problem's best time over its floor.
std::string to_html(const std::vector<Report>& reports);

}  // namespace zellige::profiler
