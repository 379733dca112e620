// The one exception class of Tarn, and the codes that say what a caller can do about it.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace tarn {

/// What to do next. Each code is an instruction to the caller, not a place in our code.
enum class ErrorCode {
  kInvalid,         ///< fix the request
  kNotFound,        ///< name another
  kAlreadyExists,   ///< name another
  kConflict,        ///< another transaction was first: run it again
  kUnsupported,     ///< do it another way
  kUnavailable,     ///< try again later
  kUnknownOutcome,  ///< the commit may have happened: look before retrying, delete nothing
  kCorrupt,         ///< the lake breaks the format: repair it
  kInterrupted,     ///< the user cancelled
  kInternal,        ///< report a bug
};

/// "kInvalid" -> "invalid", for logs and tests.
const char* ErrorCodeName(ErrorCode code);

/// A failure: one sentence for people that names the thing and says what to do, and context for
/// programs. The message must read well on its own; context (table, path, SQLSTATE, ...) is for
/// logs.
class Error : public std::exception {
 public:
  using Context = std::vector<std::pair<std::string, std::string>>;

  Error(ErrorCode code, std::string message, Context context = {})
      : code_(code), message_(std::move(message)), context_(std::move(context)) {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }
  const Context& context() const { return context_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorCode code_;
  std::string message_;
  Context context_;
};

}  // namespace tarn
