// Lists that are read and files that are written.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "output_file.hpp"
#include "refusal.hpp"
#include "replay.hpp"
#include "test_folder.hpp"

namespace zellige::profiler {
namespace {

namespace fs = std::filesystem;

std::vector<ListedLine> read_list(const std::string& path, Arch arch, std::int64_t batch) {
  return parse_list(path, read_list_text(path), arch, batch);
}

class Files : public TestFolder {
 protected:
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
};

TEST_F(Files, AListKeepsEveryLine) {
  const std::string list = with(
      "list.txt",
      "# layers of a model\n"
      "\n"
      "MIOpenDriver convbfp16 -n 32 -c 64 -H 56 -W 56 -k 64 -y 1 -x 1 -p 0 -q 0 -u 1 -v 1 -l 1 -j 1 -m conv -g 1 -F 1 "
      "-t 1 --in_layout NHWC --fil_layout NHWC --out_layout NHWC\r\n"
      "  \t \n"
      "this is no driver line\n"
      "  convfp16 -n 1 -c 8 -H 7 -W 7 -k 8 -F 0\n"
      "convfp16 -n 1 -c 7 -H 7 -W 7 -k 8 -g 2 -F 1");
  const std::vector<ListedLine> lines = read_list(list, Arch::gfx942, 0);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].number, 3);
  ASSERT_EQ(lines[0].problems.size(), 1u);
  EXPECT_EQ(std::get<ConvProblem>(lines[0].problems[0].shape).n, 32);
  EXPECT_FALSE(lines[0].problems[0].layout_assumed);
  EXPECT_EQ(lines[1].number, 5);
  ASSERT_TRUE(lines[1].failure);
  EXPECT_TRUE(lines[1].problems.empty());
  EXPECT_EQ(lines[2].number, 6);
  EXPECT_EQ(lines[2].problems.size(), 3u);
  EXPECT_EQ(lines[3].number, 7);
  ASSERT_TRUE(lines[3].failure);
  EXPECT_STREQ(lines[3].failure->what(), "groups = 2 must be at least 1 and divide c = 7 and k = 8");
}

TEST_F(Files, AnotherBatchForEveryLine) {
  const std::string list = with("list.txt", "conv -n 32 -F 1\nconv -n 16 -F 1\n");
  for (const ListedLine& line : read_list(list, Arch::gfx942, 2)) {
    EXPECT_EQ(std::get<ConvProblem>(line.problems.at(0).shape).n, 2);
  }
}

TEST_F(Files, WhatIsNoListIsRefused) {
  EXPECT_EQ(refusal([&] { read_list(path("absent"), Arch::gfx942, 0); }),
            path("absent") + " cannot be read: No such file or directory");
  EXPECT_EQ(refusal([&] { read_list(folder_.string(), Arch::gfx942, 0); }),
            folder_.string() + " is a directory, not a list of driver lines");
  EXPECT_EQ(refusal([&] { read_list(with("zeros", std::string("conv\0 -n 1", 10)), Arch::gfx942, 0); }),
            path("zeros") + " is no text file: it holds zero bytes");
  EXPECT_EQ(refusal([&] { read_list(with("empty", ""), Arch::gfx942, 0); }), path("empty") + " holds no driver line");
  EXPECT_EQ(refusal([&] { read_list(with("comments", "# a\n\n#b\n"), Arch::gfx942, 0); }),
            path("comments") + " holds no driver line");
}

TEST_F(Files, AListMayBeginWithAByteOrderMark) {
  EXPECT_EQ(read_list(with("list", "\xef\xbb\xbf""conv -n 3 -F 1\r\n"), Arch::gfx942, 0).at(0).problems.size(), 1u);
}

TEST_F(Files, AListWithoutAnEndIsRefused) {
  EXPECT_EQ(refusal([] { read_list("/dev/zero", Arch::gfx942, 0); }), "/dev/zero is no text file: it holds zero bytes");
}

TEST_F(Files, LongSentencesLoseTheirMiddle) {
  const std::string line(5'000'000, 'x');
  const std::vector<ListedLine> lines = read_list(with("list", line), Arch::gfx942, 0);
  ASSERT_TRUE(lines.at(0).failure);
  const std::string sentence = lines[0].failure->what();
  EXPECT_LT(sentence.size(), 700u);
  EXPECT_NE(sentence.find(" bytes ...]"), std::string::npos) << sentence;
  EXPECT_TRUE(sentence.ends_with("convbfp8")) << sentence;
  EXPECT_EQ(lines[0].text, line);  // the result of the line still carries all of it
}

TEST_F(Files, NamesOfOneFileAreSeen) {
  fs::create_symlink(path("absent"), path("link"));
  EXPECT_TRUE(same_file(path("absent"), path("absent")));
  EXPECT_TRUE(same_file(path("absent"), (folder_ / "." / ".." / folder_.filename() / "absent").string()));
  EXPECT_TRUE(same_file(path("link"), path("absent")));
  EXPECT_FALSE(same_file(path("absent"), path("other")));
  EXPECT_FALSE(same_file("/dev/null", "/dev/null"));
  fs::create_hard_link(with("a", "text"), path("b"));
  EXPECT_TRUE(same_file(path("a"), path("b")));
  EXPECT_TRUE(is_standard_output("-"));
  EXPECT_FALSE(is_standard_output(path("a")));
}

TEST_F(Files, WhatCannotBeMovedIntoPlaceLeavesNothing) {
  EXPECT_NE(refusal([&] {
              OutputFile file("--json", path("out"));
              file.write("text");
              fs::create_directories(fs::path(path("out")) / "in the way");
              file.commit();
            }),
            "");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Files, AnOutputAppearsWholeOrNotAtAll) {
  const std::string target = with("out.json", "old");
  {
    OutputFile file("--json", target);
    file.write("half of");
    EXPECT_EQ(content(target), "old");
  }
  EXPECT_EQ(content(target), "old");
  EXPECT_EQ(files(), 1u);  // what was begun is gone
  OutputFile file("--json", target);
  file.write("new ");
  file.write("text");
  EXPECT_EQ(content(target), "old");
  file.commit();
  EXPECT_EQ(content(target), "new text");
  EXPECT_EQ(files(), 1u);
}

TEST_F(Files, ALinkStaysALink) {
  const std::string target = with("real.json", "old");
  fs::create_symlink(target, path("link.json"));
  OutputFile file("--json", path("link.json"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path("link.json")));
  EXPECT_EQ(content(target), "new");

  fs::create_symlink("later.json", path("dangling.json"));
  OutputFile later("--json", path("dangling.json"));
  later.write("text");
  later.commit();
  EXPECT_TRUE(fs::is_symlink(path("dangling.json")));
  EXPECT_EQ(content(path("later.json")), "text");
}

TEST_F(Files, DevicesAreWrittenInPlace) {
  OutputFile file("--json", "/dev/null");
  file.write("gone");
  file.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, WhatCannotBeWrittenIsRefusedAtOnce) {
  EXPECT_EQ(refusal([&] { OutputFile("--json", folder_.string()); }),
            "--json " + folder_.string() + " is a directory: name a file");
  EXPECT_EQ(refusal([&] { OutputFile("--csv", path("absent/out.csv")); }),
            "--csv " + path("absent/out.csv") + " cannot be written: No such file or directory");
  EXPECT_EQ(refusal([&] {
              OutputFile file("--json", "/dev/full");
              file.write("text");
            }),
            "--json /dev/full cannot be written: No space left on device");
}

}  // namespace
}  // namespace zellige::profiler
