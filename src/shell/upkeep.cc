// Steps of upkeep as SQL, and what they did as words. See upkeep.h.
#include "shell/upkeep.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "format/age.h"
#include "shell/lake_argument.h"
#include "shell/printer.h"
#include "shell/terminal.h"
#include "tarn/error.h"
#include "tarn/transaction.h"
#include "tarn/waiting_files.h"

namespace tarn::shell {
namespace {

using engine::SessionResult;
using engine::SessionValue;

/// A time, or the time that lies by an age before now: the database knows both.
SessionValue ReadTime(engine::Session& session, const std::string& text) {
  if (IsBareNumber(text)) {
    throw Error(ErrorCode::kInvalid, fmt::format("\"{0}\" has no unit; write '{0} days'.", text));
  }
  std::optional<int64_t> micros;
  bool is_negative = false;
  session.Run(
      "SELECT epoch_us(coalesce(try_cast($1 AS TIMESTAMPTZ), now() - try_cast($1 AS INTERVAL))), "
      "try_cast($1 AS TIMESTAMPTZ) IS NULL AND try_cast($1 AS INTERVAL) < INTERVAL 0 SECOND",
      {text}, [&](SessionResult& result) {
        if (!result.Next()) return;
        if (const auto value = result.Text(0)) micros = std::stoll(std::string(*value));
        is_negative = result.Text(1) == "true";
      });
  if (!micros) {
    throw Error(
        ErrorCode::kInvalid,
        fmt::format("\"{}\" is neither a time, such as '2026-01-31 12:00', nor an age, such "
                    "as '7 days'.",
                    text));
  }
  if (is_negative) {
    throw Error(ErrorCode::kInvalid,
                fmt::format("\"{}\" is an age, and cannot be negative.", text));
  }
  return Timestamp(std::chrono::microseconds(*micros));
}

/// Calls a function of the lake, with each parameter bound.
void Call(engine::Session& session, const UpkeepCall& call, const engine::Session::Show& show) {
  std::string positional, named;
  std::vector<SessionValue> values = {std::string(kLakeName)};
  for (const auto& parameter : call.parameters) {
    const bool is_time = parameter.type == "TIMESTAMPTZ";
    values.push_back(is_time ? ReadTime(session, parameter.value) : parameter.value);
    const auto value = fmt::format("CAST(${} AS {})", values.size(), parameter.type);
    if (parameter.name.empty()) {
      positional += ", " + value;
    } else {
      named += fmt::format(", {} => {}", parameter.name, value);
    }
  }
  if (call.dry_run) named += ", dry_run => true";
  session.Run(fmt::format("FROM tarn_{}($1{}{})", call.function, positional, named), values, show);
}

std::string Count(int64_t number, const char* noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

int64_t Number(SessionResult& result, size_t column) {
  return std::stoll(std::string(result.Text(column).value_or("0")));
}

/// Whoever has freed no space learns when it will be. For people only.
void TellOfWaitingFiles(engine::Session& session, const Arguments& arguments) {
  if (arguments.mode != OutputMode::kBox || arguments.upkeep.dry_run) return;
  const auto lake = session.FindLake(kLakeName);
  const auto waiting = FindWaitingFiles(*lake);
  if (waiting.count == 0 || !waiting.newest) return;
  const auto stored = lake->Begin()->options().Find("delete_older_than");
  const auto age = stored && !stored->empty() ? *stored : std::string("2 days");
  session.Run("SELECT date_trunc('second', $1 + CAST($2 AS INTERVAL))", {*waiting.newest, age},
              [&](SessionResult& result) {
                if (!result.Next()) return;
                WriteOut(fmt::format(
                    "{} for removal, until {} at the latest ({}); `tarn cleanup LAKE --all` waits "
                    "for nothing.\n",
                    Count(waiting.count, "file") + (waiting.count == 1 ? " waits" : " wait"),
                    result.Text(0).value_or("?"), age));
              });
}

}  // namespace

std::vector<UpkeepResult> RunUpkeepStep(engine::Session& session, const std::string& step,
                                        bool dry_run, int64_t most_files) {
  UpkeepCall call{step, {}, dry_run};
  if (most_files > 0 && step == "merge_adjacent_files")
    call.parameters.push_back({"max_compacted_files", "UBIGINT", std::to_string(most_files)});
  const bool is_of_tables = step == "flush_inlined_data" || step == "merge_adjacent_files" ||
                            step == "rewrite_data_files";
  std::vector<UpkeepResult> results;
  int64_t count = 0;
  Call(session, call, [&](SessionResult& result) {
    while (result.Next()) {
      ++count;
      if (!is_of_tables) continue;
      const auto object = fmt::format("{}.{}", *result.Text(0), *result.Text(1));
      const auto what =
          step == "flush_inlined_data"
              ? Count(Number(result, 2), "row")
              : fmt::format("{} into {}", Count(Number(result, 2), "file"), Number(result, 3));
      results.push_back({object, what});
    }
  });
  if (!is_of_tables && count > 0)
    results.push_back({"", Count(count, step == "expire_snapshots" ? "snapshot" : "file")});
  return results;
}

void RunUpkeep(engine::Session& session, const Arguments& arguments) {
  Printer printer(arguments.mode);
  Call(session, arguments.upkeep, [&](SessionResult& result) { printer.Print(result); });
  if (arguments.upkeep.function == "cleanup_old_files") TellOfWaitingFiles(session, arguments);
}

void RunCheckpoint(engine::Session& session, const Arguments& arguments) {
  std::vector<std::vector<SessionValue>> rows;
  for (const char* step : engine::kUpkeepSteps) {
    for (const auto& [object, done] : RunUpkeepStep(session, step, arguments.upkeep.dry_run)) {
      rows.push_back(
          {std::string(step), object.empty() ? SessionValue() : SessionValue(object), done});
    }
  }
  Printer printer(arguments.mode);
  session.ShowRows({"step", "table", "done"}, rows,
                   [&](SessionResult& result) { printer.Print(result); });
  TellOfWaitingFiles(session, arguments);
}

}  // namespace tarn::shell
