@_spi(Tools) import AtRestBus
import Foundation

/// Makes systemd-logind wait before it suspends the machine, until this value is released or five
/// seconds have passed.
struct SleepDelay: ~Copyable {
  private let file: Int32

  /// Asks systemd-logind to wait. Returns nil if it refuses.
  init?(_ bus: BusConnection) {
    guard
      (try? bus.call(
        "Inhibit", of: LockSignal.login, interface: LockSignal.login + ".Manager",
        .text("sleep"), .text("AtRest"), .text("Lock the store"), .text("delay"))) != nil,
      let file = bus.takeDescriptor()
    else { return nil }
    self.file = file
  }

  deinit { close(file) }
}
