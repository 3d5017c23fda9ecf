#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <filesystem>
#include <stdexcept>
#include <thread>

#include "io/gzip.hpp"
#include "spineweave/io.hpp"
#include "support/error_text.hpp"
#include "support/program.hpp"

namespace spineweave {
namespace {

using test::error_text;
using test::ScratchFolder;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string gzip(const std::string& text) {
  constexpr int kGzip = 16 + MAX_WBITS;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib does not start");
  std::string bytes(deflateBound(&stream, text.size()), '\0');
  std::string input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  deflate(&stream, Z_FINISH);
  bytes.resize(stream.total_out);
  deflateEnd(&stream);
  return bytes;
}

// What read_file says of a file with that content.
std::string refusal(const std::string& content) {
  const ScratchFolder folder;
  test::put(folder.file("input"), content);
  return error_text(ErrorCode::bad_input, [&] { (void)read_file(folder.file("input")); });
}

TEST(ReadFile, GivesTheBytesOfAPlainFile) {
  const ScratchFolder folder;
  const std::string content("one\0two\r\n", 9);
  test::put(folder.file("input"), content);
  EXPECT_EQ(read_file(folder.file("input")), content);
}

TEST(ReadFile, InflatesGzipWhateverTheFilesName) {
  const ScratchFolder folder;
  std::string content;
  for (int i = 0; i < 100'000; ++i) content += std::to_string(i) + "\n";
  test::put(folder.file("input"), gzip(content));
  EXPECT_EQ(read_file(folder.file("input")), content);
}

TEST(ReadFile, InflatesEveryMemberOfAGzipFile) {
  const ScratchFolder folder;
  test::put(folder.file("input"), gzip("one ") + gzip("") + gzip("two"));
  EXPECT_EQ(read_file(folder.file("input")), "one two");
}

TEST(ReadFile, RefusesEveryTruncationOfGzip) {
  const std::string whole = gzip("sixteen links of a leaf and a few more, sixteen links of a leaf");
  for (std::size_t size = 2; size < whole.size(); ++size)
    EXPECT_THAT(refusal(whole.substr(0, size)),
                HasSubstr("input: the gzip data end after " + std::to_string(size) + " bytes; the file is truncated"))
        << size;
}

TEST(ReadFile, RefusesDamagedGzip) {
  std::string bytes = gzip("a text that is long enough to have a checksum worth its name");
  bytes[bytes.size() - 8] = static_cast<char>(bytes[bytes.size() - 8] ^ 1);
  EXPECT_THAT(refusal(bytes), HasSubstr("input: the gzip data are damaged: incorrect data check"));
}

TEST(ReadFile, RefusesWhatFollowsGzipAndIsNone) {
  EXPECT_THAT(refusal(gzip("text") + "tail"),
              EndsWith("input: 4 bytes follow the gzip data that are no gzip themselves"));
}

TEST(ReadFile, RefusesAnEmptyFileAndAnEmptyGzip) {
  EXPECT_THAT(refusal(""), EndsWith("input: is empty"));
  EXPECT_THAT(refusal(gzip("")), EndsWith("input: is empty"));
}

TEST(ReadFile, NamesAFileThatIsNotThereAndWhy) {
  EXPECT_THAT(error_text(ErrorCode::bad_input, [] { (void)read_file("/nowhere/fabric.json"); }),
              testing::StrEq("/nowhere/fabric.json: cannot be opened: No such file or directory"));
}

TEST(ReadFile, RefusesAFolder) {
  const ScratchFolder folder;
  EXPECT_THAT(error_text(ErrorCode::bad_input, [&] { (void)read_file(folder.file("")); }),
              EndsWith("is a folder; expected a file"));
}

TEST(InflateGzip, StopsAtTheLimit) {
  const std::string bytes = gzip(std::string(1'000'000, 'x'));
  EXPECT_EQ(io::inflate_gzip(bytes, "bomb", 1'000'000).size(), 1'000'000U);
  EXPECT_EQ(error_text(ErrorCode::bad_input, [&] { (void)io::inflate_gzip(bytes, "bomb", 999'999); }),
            "bomb: inflates to more than 999999 bytes");
}

TEST(WriteFile, WritesAndReplacesAndLeavesNothingBeside) {
  const ScratchFolder folder;
  write_file(folder.file("out.json"), "first, which is longer");
  write_file(folder.file("out.json"), "second");
  EXPECT_EQ(test::content_of(folder.file("out.json")), "second");
  const auto entries = std::filesystem::directory_iterator(folder.file(""));
  EXPECT_EQ(std::distance(begin(entries), end(entries)), 1);
}

TEST(WriteFile, NamesAFileThatCannotBeWritten) {
  EXPECT_EQ(error_text(ErrorCode::bad_input, [] { write_file("/nowhere/out.json", "text"); }),
            "/nowhere/out.json: cannot be opened for writing: No such file or directory");
}

TEST(WriteFile, NamesAFullDevice) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  EXPECT_EQ(error_text(ErrorCode::bad_input, [] { write_file("/dev/full", "text"); }),
            "/dev/full: cannot be written: No space left on device");
}

TEST(WriteFile, WritesIntoAPipeInsteadOfReplacingIt) {
  const ScratchFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = test::content_of(pipe); });
  write_file(pipe, "through the pipe");
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(WriteFile, TakesADashForStandardOutput) {
  testing::internal::CaptureStdout();
  write_file("-", "to the terminal\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "to the terminal\n");
}

TEST(Files, WhatIsSavedInPiecesIsTheTextThatIsWrittenWhole) {
  const ScratchFolder folder;
  const std::string path = folder.file("saved.json");
  const auto fabric = std::make_shared<const Fabric>(build_fabric("fat-tree:k=28,gbps=400"));  // more than one piece
  const auto jobs = std::make_shared<const Workload>(build_workload(*fabric, "permutation:seed=1"));
  save_fabric(path, *fabric);
  EXPECT_GT(std::filesystem::file_size(path), std::size_t{1} << 20U);
  EXPECT_EQ(read_file(path), write_fabric_json(*fabric));
  save_workload(path, *fabric, *jobs);
  EXPECT_EQ(read_file(path), write_workload_json(*fabric, *jobs));

  const Problem problem(fabric, jobs);
  const Routing routing(problem.num_flows(), 0);
  RoutingFile file = name_routes(problem, routing);
  file.digest = "00000000000000ff";
  save_routing(path, problem, routing, file.digest);
  EXPECT_EQ(read_file(path), write_routing_json(file));
}

TEST(Files, ALinkStaysALinkToTheFileThatIsWritten) {
  const ScratchFolder folder;
  test::put(folder.file("target.json"), "old");
  std::filesystem::create_symlink("target.json", folder.file("link.json"));
  write_file(folder.file("link.json"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.json")));
  EXPECT_EQ(test::content_of(folder.file("target.json")), "new");
}

}  // namespace
}  // namespace spineweave
