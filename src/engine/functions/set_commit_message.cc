// ducklake_set_commit_message(lake, author, message): goes into the snapshot that this transaction
// makes.
#include "engine/catalog/tarn_transaction.h"
#include "engine/functions/lake_function.h"

namespace tarn::engine {
namespace {

using duckdb::LogicalType;

/// NULL says nothing, an empty text says something empty.
std::optional<std::string> TextOf(const duckdb::Value& value) {
  return value.IsNull() ? std::nullopt : std::optional(value.ToString());
}

BoundLakeFunction Bind(const LakeCall& call) {
  CommitMessage message;
  message.author = TextOf(call.arguments.at(0));
  message.message = TextOf(call.arguments.at(1));
  if (const auto* extra = call.NamedOrNull("extra_info")) message.extra_info = extra->ToString();
  return SuccessOnly([message](duckdb::ClientContext&, TarnTransaction& transaction) {
    transaction.kernel().SetCommitMessage(message);
  });
}

}  // namespace

LakeFunction SetCommitMessageFunction() {
  return {.name = "set_commit_message",
          .writes = true,
          .arguments = {LogicalType::VARCHAR, LogicalType::VARCHAR},
          .named = {{"extra_info", LogicalType::VARCHAR}},
          .bind = Bind};
}

}  // namespace tarn::engine
