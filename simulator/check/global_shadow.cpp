// The shadow of global memory; global_shadow.hpp states the law.
#include "simulator/check/global_shadow.hpp"

#include <new>

namespace zellige::sim {

std::uint64_t GlobalShadow::next_id() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1);
}

GlobalShadow::~GlobalShadow() { clear(); }

void GlobalShadow::clear() {
  const std::lock_guard guard(mutex_);
  for (Entry* entry : used_) delete entry->page.load();
  used_.clear();
  for (auto& [index, chunk] : chunks_) std::free(chunk.entries);
  chunks_.clear();
  id_ = next_id();
}

GlobalShadow::Entry* GlobalShadow::entries_of(std::uint64_t index) {
  const std::lock_guard guard(mutex_);
  Chunk& chunk = chunks_[index];
  // Zeroed pages of the host come when they are touched: a chunk costs little where few of its pages are used.
  if (chunk.entries == nullptr) {
    chunk.entries = static_cast<Entry*>(std::calloc(chunk_pages, sizeof(Entry)));
    if (chunk.entries == nullptr) throw std::bad_alloc();
  }
  return chunk.entries;
}

GlobalShadow::Page& GlobalShadow::new_page(Entry& entry) {
  const std::lock_guard guard(mutex_);
  if (Page* page = entry.page.load(std::memory_order_acquire)) return *page;
  Page* page = new Page;
  entry.page.store(page, std::memory_order_release);
  used_.push_back(&entry);
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
