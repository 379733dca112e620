// Connection strings of database servers as they may be shown: without the secrets in them.
#pragma once

#include <string>
#include <string_view>

namespace tarn {

/// `host=h password=secret` -> `host=h`; `postgres://u:secret@h/d?sslpassword=s` ->
/// `postgres://u@h/d`. Good for whatever libpq takes, and harmless for any other text. A string too
/// odd to be understood is cut where the secret may begin.
std::string WithoutPasswords(std::string_view connection_string);

}  // namespace tarn
