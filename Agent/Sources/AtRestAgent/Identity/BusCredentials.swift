@_spi(Tools) import AtRestBus
import Foundation

/// The facts that a bus has about the process at the other end of a connection to it.
///
/// Source: D-Bus Specification 0.43, *org.freedesktop.DBus.GetConnectionCredentials*. `ProcessFD` is there since dbus 1.15.8 and
/// dbus-broker 34, and refers to the process that connected, whatever its number stands for later.
struct BusCredentials: Sendable {
  let user: UInt32
  /// The number that the process had when it connected. It is a hint only, because numbers are reused.
  let process: Int32
  /// The label of the security module when the process connected, without the zero at its end. It is empty if the
  /// system has none.
  let label: [UInt8]
  /// The descriptor of the process, or nil if the bus has none.
  let descriptor: OpenDescriptor?
  /// True if the bus sent a descriptor that did not arrive, because the agent had no room for it.
  var lacksDescriptor = false
}

extension BusCredentials {
  /// Reads the answer of a bus. Returns nil if it names no user.
  ///
  /// - Parameter descriptor: The only descriptor that came with the answer.
  init?(_ answer: BusMessage, _ descriptor: OpenDescriptor?) {
    guard answer.body.count == 1, let values = answer.body[0].dictionary,
      let user = values["UnixUserID"]?.number
    else { return nil }
    let hasDescriptor =
      answer.descriptors == 1 && values["ProcessFD"] == .variant(.descriptor(0))
    let label = values["LinuxSecurityLabel"]?.content?.withUnsafeBytes {
      Array($0.prefix { $0 != 0 })
    }
    self.init(
      user: user, process: values["ProcessID"]?.number.flatMap { Int32(exactly: $0) } ?? 0,
      label: label ?? [], descriptor: hasDescriptor ? descriptor : nil,
      lacksDescriptor: answer.descriptors > 0 && descriptor == nil)
  }
}
