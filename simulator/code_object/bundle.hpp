// Offload bundles: the containers in which clang puts the code objects of several targets.
//
// Three forms are read: the plain bundle (__CLANG_OFFLOAD_BUNDLE__), the compressed one (CCOB, versions 1 to 3, zstd or
// zlib), and a bare ELF code object, which is treated as a bundle of one. The formats are those of clang's
// ClangOffloadBundler documentation.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/code_object/bytes.hpp"

namespace zellige::sim {

/// One device entry of a bundle.
struct BundleEntry {
  std::string target;                ///< processor and features, "gfx942:sramecc+:xnack-" or "gfx942"
  std::vector<std::uint8_t> object;  ///< an ELF file
};

/// The processor of a target id: "gfx942" of "gfx942:xnack-".
std::string_view processor_of(std::string_view target);

/// How many bytes the bundle, compressed bundle or ELF that begins at `data` takes. The pointers that a fat binary or
/// hipModuleLoadData gives carry no size, so the headers alone say it; they are trusted as far as they go.
std::size_t bundle_bytes(const void* data);

/// Every device entry (host entries and empty ones are left out). Throws CodeObjectError.
std::vector<BundleEntry> read_bundle(Bytes bytes);

/// The targets of a bundle without its objects' bytes where that is cheap, for counting devices.
std::vector<std::string> bundle_targets(Bytes bytes);

/// The entry that a device with sramecc on and xnack off runs, or nullptr. `processors` are those whose code the device
/// loads, best first ({"gfx1201", "gfx12-generic"}). An entry that states a feature must agree with the device; of
/// those that match, the one that states most wins.
const BundleEntry* pick_entry(const std::vector<BundleEntry>& entries, std::span<const std::string_view> processors);

}  // namespace zellige::sim
