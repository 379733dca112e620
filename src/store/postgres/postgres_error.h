// SQLSTATEs as Tarn's errors.
#pragma once

#include <libpq-fe.h>

#include <string>
#include <string_view>

#include "store/postgres/target.h"
#include "tarn/error.h"

namespace tarn::postgres {

/// What a failed statement's result says, by its SQLSTATE alone; the server's own words only
/// complete a sentence.
Error StatementError(const PGresult* result, const Target& target, std::string_view sql);

/// Why a connection could not be made.
Error ConnectError(PGconn* connection, const Target& target);

/// The connection broke while it was used.
Error ConnectionLost(const Target& target, std::string_view detail);

/// Does this SQLSTATE mean that the server has ended the connection?
bool EndsConnection(std::string_view sqlstate);

/// Does this SQLSTATE mean that prepared statements have to be prepared anew? A pooler or a
/// DISCARD ALL may have dropped them; a table's columns may have changed beneath a plan.
bool ForgetsStatements(std::string_view sqlstate);

/// The SQLSTATE that an error was made from; empty for others.
std::string SqlStateOf(const Error& error);

}  // namespace tarn::postgres
