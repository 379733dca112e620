// A catalog database whose n-th call fails, before or after it has had its effect: what a broken
// network or disk does, at every place in turn.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "tarn/catalog_store.h"

namespace tarn::test {

/// One fault for all connections of a store. Calls are counted from 0.
struct Fault {
  std::atomic<int64_t> calls{0};
  std::atomic<int64_t> at{-1};  ///< the call that fails; below 0: none
  std::string only;             ///< counts only calls that begin with this, if given
  bool lasting = false;         ///< once hit, every further call fails too
  bool after_effect = false;    ///< the call does its work and then fails
  ErrorCode code = ErrorCode::kUnavailable;
  /// What a failing commit says; without a value it throws `code` like any other call.
  std::optional<CommitOutcome> commit_outcome = CommitOutcome::kUnknown;
  std::atomic<bool> hit{false};
  std::string where;             ///< which call failed
  std::function<void()> on_hit;  ///< runs when the fault strikes
};

class FaultyConnection final : public StoreConnection {
 public:
  FaultyConnection(std::unique_ptr<StoreConnection> inner, Fault& fault)
      : inner_(std::move(inner)), fault_(fault) {
    inner_->SetInterruptCheck([this] { return Interrupted(); });
  }

  const Dialect& dialect() const override { return inner_->dialect(); }
  void Begin(TransactionMode mode) override {
    Run("begin", [&] { inner_->Begin(mode); });
  }
  CommitOutcome Commit() override {
    if (!Next("commit")) return inner_->Commit();
    if (fault_.after_effect)
      inner_->Commit();
    else
      inner_->Rollback();
    if (fault_.on_hit) fault_.on_hit();
    if (!fault_.commit_outcome) throw Failure();
    return *fault_.commit_outcome;
  }
  void Rollback() noexcept override { inner_->Rollback(); }
  bool in_transaction() const override { return inner_->in_transaction(); }
  std::unique_ptr<Rows> Query(const Statement& statement) override {
    std::unique_ptr<Rows> rows;
    Run("query " + statement.text, [&] { rows = inner_->Query(statement); });
    return rows;
  }
  int64_t Execute(const Statement& statement) override {
    int64_t affected = 0;
    Run("execute " + statement.text, [&] { affected = inner_->Execute(statement); });
    return affected;
  }
  void InsertRows(std::string_view table, std::span<const std::string_view> columns,
                  std::span<const std::vector<Value>> rows) override {
    Run("insert " + std::string(table), [&] { inner_->InsertRows(table, columns, rows); });
  }
  bool TableExists(std::string_view table) override {
    bool exists = false;
    Run("table exists", [&] { exists = inner_->TableExists(table); });
    return exists;
  }
  std::vector<std::string> ListTables() override {
    std::vector<std::string> tables;
    Run("list tables", [&] { tables = inner_->ListTables(); });
    return tables;
  }

 private:
  /// True when this call is the one that fails.
  bool Next(const std::string& where) {
    if (fault_.hit && fault_.lasting) return true;
    if (where.compare(0, fault_.only.size(), fault_.only) != 0) return false;
    if (fault_.calls++ != fault_.at) return false;
    fault_.hit = true;
    fault_.where = where;
    return true;
  }
  Error Failure() const { return Error(fault_.code, "A fault was injected at: " + fault_.where); }

  template <class Work>
  void Run(const std::string& where, Work work) {
    const bool fails = Next(where);
    if (!fails || fault_.after_effect) work();
    if (!fails) return;
    inner_->Rollback();  // as every driver does on an exception
    throw Failure();
  }

  std::unique_ptr<StoreConnection> inner_;
  Fault& fault_;
};

class FaultyStore final : public CatalogStore {
 public:
  FaultyStore(std::shared_ptr<CatalogStore> inner, std::shared_ptr<Fault> fault)
      : inner_(std::move(inner)), fault_(std::move(fault)) {}
  std::unique_ptr<StoreConnection> Connect() override {
    return std::make_unique<FaultyConnection>(inner_->Connect(), *fault_);
  }
  const Dialect& dialect() const override { return inner_->dialect(); }
  std::string location() const override { return inner_->location(); }
  bool writable() const override { return inner_->writable(); }
  void CreateSchemaIfAbsent() override { inner_->CreateSchemaIfAbsent(); }

 private:
  std::shared_ptr<CatalogStore> inner_;
  std::shared_ptr<Fault> fault_;
};

}  // namespace tarn::test
