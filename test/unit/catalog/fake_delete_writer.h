// A delete file writer without Parquet: its files hold `position:snapshot` lines, so that tests can
// tell what a commit asked for, and unions work.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tarn/error.h"
#include "tarn/transaction.h"

namespace tarn::test {

class FakeDeleteWriter final : public DeleteFileWriter {
 public:
  /// `name` begins the names of the files.
  explicit FakeDeleteWriter(std::string name = "d") : name_(std::move(name)) {}

  DeleteFile Write(const PendingDelete& pending, SnapshotId snapshot) override {
    if (on_write) on_write(pending);
    if (fail_at >= 0 && writes == fail_at) {
      failed = true;
      throw Error(ErrorCode::kUnavailable, "A fault was injected at: delete file");
    }
    std::map<int64_t, int64_t> positions;
    for (const ScanDelete& existing : pending.existing) {
      for (auto [position, by] : Read(existing.path))
        positions.emplace(position, by >= 0 ? by : existing.file.begin_snapshot.value);
    }
    for (const auto& [position, by] : pending.inlined_deletes)
      positions.emplace(position, by.value);
    if (pending.flushed) AddEnded(pending, positions);
    for (int64_t position : pending.positions) positions.emplace(position, snapshot.value);
    if (positions.empty()) return {};
    DeleteFile file;
    if (pending.needs_snapshot_ids) {
      for (auto [_, by] : positions) {
        if (!file.begin_snapshot.valid() || SnapshotId(by) < file.begin_snapshot)
          file.begin_snapshot = SnapshotId(by);
        file.partial_max = std::max(file.partial_max.value_or(SnapshotId(by)), SnapshotId(by));
      }
    }
    file.path = name_ + std::to_string(++writes) + "-delete." + pending.format;
    file.format = pending.format;
    file.delete_count = static_cast<int64_t>(positions.size());
    file.footer_size = pending.format == "puffin" ? 0 : 5;
    std::filesystem::create_directories(pending.folder);
    std::ostringstream text;
    for (auto [position, by] : positions)
      text << position << ":" << (pending.needs_snapshot_ids ? by : -1) << "\n";
    std::ofstream(pending.folder + file.path) << text.str();
    file.file_size_bytes = static_cast<int64_t>(text.str().size());
    return file;
  }
  void Discard(const PendingDelete& pending, const DeleteFile& file) noexcept override {
    ++discards;
    std::error_code ignored;
    std::filesystem::remove(pending.folder + file.path, ignored);
  }
  bool prefers_deletion_vectors() const override { return vectors; }
  std::vector<int64_t> ReadPositions(const PendingDelete& pending) override {
    std::vector<int64_t> positions;
    for (const ScanDelete& existing : pending.existing) {
      for (auto [position, _] : Read(existing.path)) positions.push_back(position);
    }
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    return positions;
  }

  /// The positions of a file, each with its snapshot, or -1 in the plain form.
  static std::map<int64_t, int64_t> Read(const std::string& path) {
    std::map<int64_t, int64_t> positions;
    std::ifstream in(path);
    int64_t position = 0, by = 0;
    char colon = 0;
    while (in >> position >> colon >> by) positions[position] = by;
    return positions;
  }
  static std::string Text(const std::string& path) {
    std::ostringstream out;
    for (auto [position, by] : Read(path)) out << position << ":" << by << " ";
    return out.str();
  }

  std::function<void(const PendingDelete&)> on_write;
  int64_t writes = 0;
  int64_t discards = 0;
  int64_t fail_at = -1;  ///< the write that fails, from 0; below 0: none
  bool failed = false;
  bool vectors = false;

 private:
  /// A flushed file has one line per row: `row id:snapshot`.
  static void AddEnded(const PendingDelete& pending, std::map<int64_t, int64_t>& positions) {
    std::ifstream in(pending.data_file_path);
    int64_t row_id = 0, begin = 0;
    char colon = 0;
    for (int64_t position = 0; in >> row_id >> colon >> begin; ++position) {
      for (const EndedRow& ended : pending.ended_rows) {
        if (ended.row_id == row_id && ended.begin_snapshot == SnapshotId(begin))
          positions.emplace(position, ended.end_snapshot.value);
      }
    }
  }

  std::string name_;
};

}  // namespace tarn::test
