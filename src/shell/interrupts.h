// Ctrl-C: cancels the statement that runs, or the waiting for input. Signals may arrive on any
// thread and between any two calls, so waiting is for a pipe that the handlers write to, never for
// a read that a signal is hoped to break.
#pragma once

#include "engine/session.h"

namespace tarn::shell {

/// Installs the handler for the process; at most one at a time.
class Interrupts {
 public:
  /// Throws tarn::Error when there is no pipe to be had.
  explicit Interrupts(engine::Session& session);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  /// While it lives, Ctrl-C cancels the statement. Outside of it and of Reading, Ctrl-C ends the
  /// process at once.
  class Running {
   public:
    Running();
    ~Running();

   private:
    const bool is_outermost_;  ///< one within another changes nothing
  };
  /// While it lives, Ctrl-C ends Wait().
  class Reading {
   public:
    Reading();
    ~Reading();
  };

  /// Ctrl-C was pressed since the last Running or Reading began.
  static bool Pressed();

  enum class Woken { kInput, kCancelled, kOther };
  /// Waits until there is something to read, Ctrl-C was pressed, or Wake() was called.
  static Woken Wait(int file_descriptor);
  /// For handlers of other signals.
  static void Wake() noexcept;
};

}  // namespace tarn::shell
