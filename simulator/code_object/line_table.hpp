// Source lines of machine code, from the line table of DWARF 5 that -g and -gline-tables-only leave in a code object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/code_object/bytes.hpp"

namespace zellige::sim {

class LineTable {
 public:
  /// Reads .debug_line with the strings of .debug_line_str. Units of other DWARF versions are passed over; a table that
  /// cannot be read is a CodeObjectError.
  static LineTable read(Bytes lines, Bytes strings);

  /// "folder/file.hip:12" of the code at a virtual address, or "" where no line is known.
  std::string at(std::uint64_t address) const;

 private:
  friend class LineProgram;
  struct Row {
    std::uint64_t address;
    std::uint32_t file, line;
    bool end;             ///< nothing is known from here on
    std::uint32_t order;  ///< of equal addresses the newest counts
  };
  std::vector<std::string> files_;
  std::vector<Row> rows_;  ///< ascending addresses
};

}  // namespace zellige::sim
