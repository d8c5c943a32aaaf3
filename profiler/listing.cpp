// See listing.hpp.
#include "listing.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <regex>

#include "report_json.hpp"
#include "version.hpp"
#include "zellige/library.hpp"

namespace zellige::profiler {
namespace {

using Json = nlohmann::ordered_json;

Json config_json(const Operation& operation) {
  Json config = Json::object();
  for (const NamedValue& field : operation.config_values()) {
    std::visit([&](const auto& value) { config[field.key] = value; }, field.value);
  }
  return config;
}

}  // namespace

Listing list_instances(const std::vector<Arch>& targets, const Options& options) {
  Listing listing;
  Json instances = Json::array(), libraries = Json::array();
  const std::regex pattern(options.instances);
  for (Arch arch : targets) {
    const TargetLibrary& target = target_library(arch);
    std::map<std::string_view, std::vector<const Operation*>> families;
    for (const Operation& operation : target.operations) {
      const std::string_view family = family_name(operation.family);
      if (options.listed && family != name_of(*options.listed)) continue;
      if (!options.instances.empty() && !std::regex_search(operation.name, pattern)) continue;
      families[family].push_back(&operation);
      instances.push_back({{"name", operation.name},
                           {"family", family},
                           {"arch", arch_traits(arch).name},
                           {"config", config_json(operation)}});
    }
    libraries.push_back({{"arch", arch_traits(arch).name},
                         {"file", target.file.empty() ? Json(nullptr) : Json(target.file)},
                         {"error", target.error.empty() ? Json(nullptr) : Json(target.error)}});
    const auto out = std::back_inserter(listing.text);
    if (!target.error.empty()) fmt::format_to(out, "{}: {}\n", arch_traits(arch).name, target.error);
    for (const auto& [family, operations] : families) {
      fmt::format_to(out, "{}: {} {} instances\n", arch_traits(arch).name, operations.size(), family);
      for (const Operation* operation : operations) fmt::format_to(out, "  {}\n", operation->name);
    }
  }
  listing.instances = instances.size();
  fmt::format_to(std::back_inserter(listing.text), "{} instances in all\n", listing.instances);
  listing.json = {{"schema", json_schema}, {"zellige", version}, {"libraries", libraries}, {"instances", instances}};
  return listing;
}

}  // namespace zellige::profiler
