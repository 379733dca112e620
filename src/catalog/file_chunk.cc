// See file_chunk.h.
#include "catalog/file_chunk.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/uuid.h"
#include "format/paths.h"

namespace tarn {
namespace {

constexpr int64_t kAbsent = std::numeric_limits<int64_t>::min();
constexpr size_t kUuidLength = 36;

int LowerHexDigit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Only what FormatUuid makes, so that it can be made again. (ParseUuid takes more.)
bool ReadUuid(std::string_view text, std::array<uint8_t, 16>& uuid) {
  if (text.size() < kUuidLength) return false;
  size_t at = 0;
  for (size_t byte = 0; byte < uuid.size(); ++byte) {
    if ((at == 8 || at == 13 || at == 18 || at == 23) && text[at++] != '-') return false;
    const int high = LowerHexDigit(text[at]);
    const int low = LowerHexDigit(text[at + 1]);
    if (high < 0 || low < 0) return false;
    uuid[byte] = static_cast<uint8_t>(high << 4 | low);
    at += 2;
  }
  return true;
}

// Where a uuid begins in a path's last part: of `ducklake-<uuid>.parquet`, or a bare one.
std::optional<size_t> FindUuid(std::string_view path, std::array<uint8_t, 16>& uuid) {
  const size_t name = path.rfind('/') + 1;  // npos + 1 is 0
  const size_t dash = path.find('-', name);
  if (dash != std::string_view::npos && ReadUuid(path.substr(dash + 1), uuid)) return dash + 1;
  if (ReadUuid(path.substr(name), uuid)) return name;
  return std::nullopt;
}

std::optional<int64_t> ToNumber(const std::optional<SnapshotId>& id) {
  return id ? std::optional(id->value) : std::nullopt;
}

}  // namespace

void SparseNumbers::Set(size_t place, std::optional<int64_t> value) {
  if (!value && values_.size() <= place) return;
  if (values_.size() <= place) values_.resize(place + 1, kAbsent);
  values_[place] = value.value_or(kAbsent);
}

std::optional<int64_t> SparseNumbers::Get(size_t place) const {
  if (place >= values_.size() || values_[place] == kAbsent) return std::nullopt;
  return values_[place];
}

void PackedTexts::Set(size_t place, const std::optional<std::string>& text) {
  if (!text && ends_.size() <= place) return;
  while (ends_.size() < place) ends_.push_back(static_cast<uint32_t>(bytes_.size()) * 2 + 1);
  if (text) bytes_ += *text;
  ends_.push_back(static_cast<uint32_t>(bytes_.size()) * 2 + (text ? 0 : 1));
}

std::optional<std::string> PackedTexts::Get(size_t place) const {
  if (place >= ends_.size() || ends_[place] % 2 == 1) return std::nullopt;
  const size_t begin = place == 0 ? 0 : ends_[place - 1] / 2;
  return bytes_.substr(begin, ends_[place] / 2 - begin);
}

void PackedPaths::Add(std::string_view path) {
  std::array<uint8_t, 16> uuid{};
  const std::optional<size_t> begin = FindUuid(path, uuid);
  const std::string_view before = path.substr(0, begin.value_or(path.size()));
  const std::string_view after = begin ? path.substr(*begin + kUuidLength) : std::string_view();
  uuids_.push_back(uuid);
  const auto is_it = [&](const Frame& frame) {
    return frame.has_uuid == begin.has_value() && frame.before == before && frame.after == after;
  };
  // Most often that of the file before.
  if (!frame_.empty() && is_it(frames_[frame_.back()])) {
    frame_.push_back(frame_.back());
    return;
  }
  std::string key;
  key.append(before).append(1, begin ? '\1' : '\0').append(after);
  const auto [known, is_new] =
      known_.emplace(std::move(key), static_cast<uint16_t>(frames_.size()));
  if (is_new)
    frames_.push_back(
        {std::string(before), std::string(after), begin.has_value(), IsLakeFileName(path)});
  frame_.push_back(known->second);
}

std::string PackedPaths::Get(size_t place) const {
  const Frame& frame = frames_[frame_[place]];
  return frame.has_uuid ? frame.before + FormatUuid(uuids_[place]) + frame.after : frame.before;
}

void PackedPaths::Finish() {
  known_ = {};
  frames_.shrink_to_fit();
  frame_.shrink_to_fit();
  uuids_.shrink_to_fit();
}

size_t PackedPaths::memory() const {
  size_t bytes = frame_.capacity() * sizeof(uint16_t) + uuids_.capacity() * 16;
  for (const Frame& frame : frames_)
    bytes += sizeof(Frame) + frame.before.capacity() + frame.after.capacity();
  return bytes;
}

void FileChunk::Add(const DataFile& file) {
  const size_t place = size();
  ids_.push_back(file.id.value);
  begins_.push_back(file.begin_snapshot.value);
  record_counts_.push_back(file.record_count);
  sizes_.push_back(file.file_size_bytes);
  footer_sizes_.Set(place, file.footer_size);
  row_id_starts_.Set(place, file.row_id_start);
  if (file.partition_id) partition_ids_.Set(place, file.partition_id->id().value);
  if (file.mapping_id) mapping_ids_.Set(place, file.mapping_id->value);
  partial_maxes_.Set(place, ToNumber(file.partial_max));
  paths_.Add(file.path);
  if (!file.path_is_relative) absolute_.Set(place, 1);
  if (file.format != "parquet") formats_.Set(place, file.format);
  keys_.Set(place, file.encryption_key);
  total_records_ += file.record_count;
  if (file.partial_max && last_partial_ < *file.partial_max) last_partial_ = *file.partial_max;
}

void FileChunk::Finish() {
  for (auto* numbers : {&ids_, &begins_, &record_counts_, &sizes_}) numbers->shrink_to_fit();
  paths_.Finish();
}

std::shared_ptr<FileChunk> FileChunk::Extend() const {
  auto copy = std::make_shared<FileChunk>();
  for (size_t place = 0; place < size(); ++place) copy->Add(Get(place));
  std::lock_guard lock(mutex_);
  copy->facts_ = facts_;
  return copy;
}

std::optional<SnapshotId> FileChunk::partial_max(size_t place) const {
  const auto value = partial_maxes_.Get(place);
  return value ? std::optional(SnapshotId(*value)) : std::nullopt;
}

std::optional<size_t> FileChunk::Find(DataFileId id) const {
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), id.value);
  if (at == ids_.end() || *at != id.value) return std::nullopt;
  return static_cast<size_t>(at - ids_.begin());
}

DataFile FileChunk::Get(size_t place, bool with_path) const {
  DataFile file;
  file.id = DataFileId(ids_[place]);
  if (with_path) file.path = paths_.Get(place);
  file.path_is_relative = !absolute_.Get(place);
  file.format = formats_.Get(place).value_or("parquet");
  file.record_count = record_counts_[place];
  file.file_size_bytes = sizes_[place];
  file.footer_size = footer_sizes_.Get(place);
  file.row_id_start = row_id_starts_.Get(place);
  if (const auto id = partition_ids_.Get(place)) file.partition_id = PartitionId(*id);
  file.encryption_key = keys_.Get(place);
  if (const auto id = mapping_ids_.Get(place)) file.mapping_id = MappingId(*id);
  file.partial_max = partial_max(place);
  file.begin_snapshot = SnapshotId(begins_[place]);
  return file;
}

std::shared_ptr<const FactsColumn> FileChunk::FindFacts(const FactsKey& key) const {
  std::lock_guard lock(mutex_);
  const auto found = facts_.find(key);
  return found == facts_.end() ? nullptr : found->second;
}

void FileChunk::KeepFacts(const FactsKey& key, std::shared_ptr<const FactsColumn> facts) const {
  std::lock_guard lock(mutex_);
  facts_[key] = std::move(facts);
}

size_t FileChunk::memory() const {
  size_t bytes = sizeof(FileChunk) + paths_.memory() + formats_.memory() + keys_.memory();
  for (const auto* numbers : {&ids_, &begins_, &record_counts_, &sizes_})
    bytes += numbers->capacity() * sizeof(int64_t);
  for (const auto* numbers : {&footer_sizes_, &row_id_starts_, &partition_ids_, &mapping_ids_,
                              &partial_maxes_, &absolute_})
    bytes += numbers->memory();
  std::lock_guard lock(mutex_);
  for (const auto& [key, facts] : facts_) bytes += facts->memory();
  return bytes;
}

}  // namespace tarn
