// Names of error codes, and what a broken assertion throws.
#include "tarn/error.h"

#include "base/assert.h"

namespace tarn {

const char* ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
      return "invalid";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kAlreadyExists:
      return "already_exists";
    case ErrorCode::kConflict:
      return "conflict";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kUnavailable:
      return "unavailable";
    case ErrorCode::kUnknownOutcome:
      return "unknown_outcome";
    case ErrorCode::kCorrupt:
      return "corrupt";
    case ErrorCode::kInterrupted:
      return "interrupted";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "unknown";
}

void AssertionFailed(const char* condition, const char* file, int line) {
  // The last part of the path is enough, and the same on every machine.
  const std::string path = file;
  const std::string place = path.substr(path.rfind('/') + 1) + ":" + std::to_string(line);
  throw Error(ErrorCode::kInternal,
              "Tarn broke its own rule (" + std::string(condition) + ") at " + place +
                  ". This is a bug: please report it.",
              {{"place", place}});
}

}  // namespace tarn
