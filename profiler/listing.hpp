// `list`: names, targets and configs of the instances that this build has.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "options.hpp"

namespace zellige::profiler {

struct Listing {
  std::string text;  ///< for people
  nlohmann::ordered_json json;
  std::size_t instances = 0;
};

/// The instances of these targets, of one family where the options name it.
Listing list_instances(const std::vector<Arch>& targets, const Options& options);

}  // namespace zellige::profiler
