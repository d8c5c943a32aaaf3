// The line number program of DWARF 5, section 6.2 of its standard; line_table.hpp states what it gives.
#include "simulator/code_object/line_table.hpp"

#include <algorithm>
#include <array>

namespace zellige::sim {

/// A position in bytes that reads DWARF's encodings.
class DwarfReader {
 public:
  explicit DwarfReader(Bytes bytes) : bytes_(bytes) {}
  bool done() const { return at_ >= bytes_.size(); }
  std::uint64_t place() const { return at_; }
  void skip(std::uint64_t bytes) {
    bytes_.slice(at_, bytes, "a line table");
    at_ += bytes;
  }
  template <class T>
  T number() {
    const T value = bytes_.read<T>(at_, "a line table");
    at_ += sizeof(T);
    return value;
  }
  std::uint64_t unsigned_leb() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      if (!(byte & 0x80)) return value;
    }
  }
  std::int64_t signed_leb() {
    std::uint64_t value = 0;
    for (int shift = 0;;) {
      const auto byte = number<std::uint8_t>();
      if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if (byte & 0x80) continue;
      if (shift < 64 && (byte & 0x40)) value |= ~std::uint64_t{0} << shift;
      return static_cast<std::int64_t>(value);
    }
  }
  std::string text() {
    const std::string_view found = bytes_.text(at_, "a name in a line table");
    at_ += found.size() + 1;
    return std::string(found);
  }

 private:
  Bytes bytes_;
  std::uint64_t at_ = 0;
};

/// One unit of .debug_line.
class LineProgram {
 public:
  LineProgram(LineTable& table, Bytes unit, Bytes strings) : table_(table), in_(unit), strings_(strings) {}

  void run() {
    if (in_.number<std::uint16_t>() != 5) return;
    in_.skip(2);  // sizes of addresses and segment selectors
    const auto header_bytes = in_.number<std::uint32_t>();
    const std::uint64_t begin = in_.place() + header_bytes;
    minimum_bytes_ = in_.number<std::uint8_t>();
    in_.skip(2);  // operations an instruction, whether rows begin as statements
    line_base_ = in_.number<std::int8_t>();
    line_range_ = in_.number<std::uint8_t>();
    opcode_base_ = in_.number<std::uint8_t>();
    if (line_range_ == 0) throw CodeObjectError("a line table has a line range of 0");
    for (int opcode = 1; opcode < opcode_base_; ++opcode) operands_[opcode] = in_.number<std::uint8_t>();
    const auto folders = names({});
    const auto files = names(folders);
    first_file_ = static_cast<std::uint32_t>(table_.files_.size());
    file_count_ = static_cast<std::uint32_t>(files.size());
    table_.files_.insert(table_.files_.end(), files.begin(), files.end());
    in_.skip(begin - in_.place());
    while (!in_.done()) step();
  }

 private:
  /// A table of names: each entry has the fields that its format lists.
  std::vector<std::string> names(const std::vector<std::string>& folders) {
    constexpr std::uint64_t content_path = 1, content_folder = 2;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> format(in_.number<std::uint8_t>());
    for (auto& [content, form] : format) content = in_.unsigned_leb(), form = in_.unsigned_leb();
    std::vector<std::string> result;
    for (std::uint64_t count = in_.unsigned_leb(); count != 0; --count) {
      std::string path;
      std::uint64_t folder = 0;
      for (const auto& [content, form] : format) {
        std::string text;
        const std::uint64_t number = field(form, text);
        if (content == content_path) path = text;
        if (content == content_folder) folder = number;
      }
      // Folder 0 is that of the compilation: such names are said as the compiler was given them.
      if (folder != 0 && folder < folders.size() && !path.starts_with("/")) path = folders[folder] + "/" + path;
      result.push_back(path);
    }
    return result;
  }

  std::uint64_t field(std::uint64_t form, std::string& text) {
    switch (form) {
      case 0x08:  // string
        text = in_.text();
        return 0;
      case 0x1f:  // line_strp
        text = strings_.text(in_.number<std::uint32_t>(), "a name in a line table");
        return 0;
      case 0x0b:  // data1
        return in_.number<std::uint8_t>();
      case 0x05:  // data2
        return in_.number<std::uint16_t>();
      case 0x0f:  // udata
        return in_.unsigned_leb();
      case 0x1e:  // data16, a checksum
        in_.skip(16);
        return 0;
      default:
        throw CodeObjectError("a line table has a field of form " + std::to_string(form));
    }
  }

  void step() {
    const auto opcode = in_.number<std::uint8_t>();
    if (opcode >= opcode_base_) {
      const int adjusted = opcode - opcode_base_;
      address_ += static_cast<std::uint64_t>(adjusted / line_range_) * minimum_bytes_;
      line_ += line_base_ + adjusted % line_range_;
      add_row(false);
      return;
    }
    switch (opcode) {
      case 0:
        extended();
        return;
      case 1:  // copy
        add_row(false);
        return;
      case 2:  // advance_pc
        address_ += in_.unsigned_leb() * minimum_bytes_;
        return;
      case 3:  // advance_line
        line_ += in_.signed_leb();
        return;
      case 4:  // set_file
        file_ = in_.unsigned_leb();
        return;
      case 8:  // const_add_pc
        address_ += static_cast<std::uint64_t>((255 - opcode_base_) / line_range_) * minimum_bytes_;
        return;
      case 9:  // fixed_advance_pc
        address_ += in_.number<std::uint16_t>();
        return;
      default:
        for (int k = 0; k < operands_[opcode]; ++k) in_.unsigned_leb();
    }
  }

  void extended() {
    const std::uint64_t bytes = in_.unsigned_leb(), begin = in_.place();
    if (bytes == 0) return;
    const auto opcode = in_.number<std::uint8_t>();
    if (opcode == 1) {  // end_sequence
      add_row(true);
      address_ = 0, file_ = 1, line_ = 1;
    } else if (opcode == 2) {  // set_address
      address_ = in_.number<std::uint64_t>();
    }
    in_.skip(begin + bytes - in_.place());
  }

  void add_row(bool end) {
    const bool known = file_ < file_count_ && line_ > 0;
    table_.rows_.push_back({address_, first_file_ + static_cast<std::uint32_t>(known ? file_ : 0),
                            static_cast<std::uint32_t>(known ? line_ : 0), end || !known,
                            static_cast<std::uint32_t>(table_.rows_.size())});
  }

  LineTable& table_;
  DwarfReader in_;
  Bytes strings_;
  std::uint64_t minimum_bytes_ = 1;
  int line_base_ = 0, line_range_ = 1, opcode_base_ = 1;
  std::array<std::uint8_t, 256> operands_{};
  std::uint32_t first_file_ = 0, file_count_ = 0;
  std::uint64_t address_ = 0, file_ = 1;
  std::int64_t line_ = 1;
};

LineTable LineTable::read(Bytes lines, Bytes strings) {
  LineTable table;
  for (std::uint64_t at = 0; at < lines.size();) {
    const auto length = lines.read<std::uint32_t>(at, "a line table's length");
    if (length >= 0xfffffff0u) throw CodeObjectError("a line table of 64-bit DWARF");
    LineProgram(table, lines.slice(at + 4, length, "a line table"), strings).run();
    at += 4 + std::uint64_t{length};
  }
  // Of equal addresses the end of one sequence goes before the begin of the next.
  std::ranges::sort(table.rows_, [](const LineTable::Row& a, const LineTable::Row& b) {
    if (a.address != b.address) return a.address < b.address;
    return a.end != b.end ? a.end : a.order < b.order;
  });
  return table;
}

std::string LineTable::at(std::uint64_t address) const {
  const auto after = std::ranges::upper_bound(rows_, address, {}, [](const Row& row) { return row.address; });
  if (after == rows_.begin() || std::prev(after)->end) return {};
  const Row& row = *std::prev(after);
  return files_[row.file] + ":" + std::to_string(row.line);
}

}  // namespace zellige::sim
