// The shadow of global memory; global_shadow.hpp states the law.
#include "simulator/check/global_shadow.hpp"

#include <new>

namespace zellige::sim {
namespace {

constexpr std::size_t chunk_pages = (std::size_t{1} << 30) / GlobalShadow::page_bytes;

}  // namespace

std::uint64_t GlobalShadow::next_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
}

GlobalShadow::~GlobalShadow() { clear(); }

void GlobalShadow::clear() {
  const std::lock_guard guard(mutex_);
  for (std::atomic<Page*>* place : used_) delete place->load();
  used_.clear();
  for (auto& [index, chunk] : chunks_) std::free(chunk.pages);
  chunks_.clear();
  id_ = next_id();
}

GlobalShadow::Page& GlobalShadow::page_of(std::uint64_t address) {
  // The chunks that this host thread met last.
  struct Recent {
    std::uint64_t shadow = 0, index = 0;
    std::atomic<Page*>* pages = nullptr;
  };
  static thread_local Recent recent[4];
  const std::uint64_t index = address >> chunk_shift;
  Recent& slot = recent[index % 4];
  if (slot.shadow != id_ || slot.index != index) {
    const std::lock_guard guard(mutex_);
    Chunk& chunk = chunks_[index];
    // Zeroed pages of the host come when they are touched: a chunk costs little where few of its pages are used.
    if (chunk.pages == nullptr) {
      chunk.pages = static_cast<std::atomic<Page*>*>(std::calloc(chunk_pages, sizeof(std::atomic<Page*>)));
      if (chunk.pages == nullptr) throw std::bad_alloc();
    }
    slot = {id_, index, chunk.pages};
  }
  std::atomic<Page*>& place = slot.pages[address / page_bytes % chunk_pages];
  if (Page* page = place.load(std::memory_order_acquire)) return *page;
  const std::lock_guard guard(mutex_);
  if (Page* page = place.load(std::memory_order_acquire)) return *page;
  Page* page = new Page;
  place.store(page, std::memory_order_release);
  used_.push_back(&place);
  return *page;
}

void GlobalShadow::split(Page& page, int shift) {
  const std::size_t copies = std::size_t{1} << (page.shift - shift), count = page_bytes >> page.shift;
  auto cells = std::make_unique<Cell[]>(count * copies);
  for (std::size_t i = 0; i < count * copies; ++i) cells[i] = page.cells[i / copies];
  page.cells = std::move(cells);
  page.shift = shift;
}

}  // namespace zellige::sim
