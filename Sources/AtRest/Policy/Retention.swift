import AtRestCrypto
import Foundation

/// The limits on how long a value is kept. The value expires when the first limit is reached, and
/// is removed at logout at the latest.
///
/// ```swift
/// .days(30)
/// Retention(until: flight.arrival)
/// Retention(uses: 1)                 // read once
/// ```
public struct Retention: Sendable, Hashable, CustomStringConvertible {
  /// The date at which the value expires, or nil for no such limit.
  public var deadline: Date?
  /// The time for which the value is kept after it is stored, or nil for no such limit.
  public var age: Duration?
  /// The time for which the value is kept after it was last read, or nil for no such limit.
  public var idle: Duration?
  /// The number of times that the value can be read, or nil for no such limit.
  public var uses: Int?

  /// Creates a retention from limits. Limits that are omitted do not apply.
  public init(
    until deadline: Date? = nil, age: Duration? = nil, idle: Duration? = nil, uses: Int? = nil
  ) {
    self.deadline = deadline
    self.age = age
    self.idle = idle
    self.uses = uses
  }

  /// Keeps a value until the account logs out or the vault is wiped.
  public static let untilLogout = Retention()

  /// Keeps a value for a number of days after it is stored.
  public static func days(_ count: Int) -> Retention { Retention(age: .seconds(count * 86_400)) }

  /// Keeps a value for a number of minutes after it is stored.
  public static func minutes(_ count: Int) -> Retention { Retention(age: .seconds(count * 60)) }

  /// A Boolean value that is true if there is at least one limit.
  package var isLimited: Bool { self != .untilLogout }

  public var description: String {
    var limits: [String] = []
    if let deadline { limits.append("until \(deadline.ISO8601Format())") }
    if let age { limits.append("\(Self.words(age)) from when it is stored") }
    if let idle { limits.append("\(Self.words(idle)) from when it was last read") }
    if let uses { limits.append(uses == 1 ? "one read" : "\(uses) reads") }
    return limits.isEmpty ? "until logout" : limits.joined(separator: ", or ")
  }

  static func words(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    for (unit, length) in [("day", 86_400), ("hour", 3600), ("minute", 60)] as [(String, Int64)]
    where seconds >= length && seconds % length == 0 {
      let count = seconds / length
      return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
    }
    return "\(seconds) seconds"
  }

  /// Checks the limits.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for a limit that has already been reached, and
  ///   for a number of uses that is too large to store.
  func check(at now: Date) throws {
    let isPast = deadline.map { $0 <= now } ?? false
    let isEmpty = [age, idle].contains { $0.map { $0 <= .zero } ?? false }
    guard !isPast, !isEmpty, uses.map({ $0 >= 1 && $0 < UInt32.max }) ?? true else {
      throw AtRestError.invalid(
        "The retention (\(self)) is not valid.",
        remedy: "Use a deadline in the future, durations above zero and at least one use.")
    }
  }

  /// The time after which an unread value expires, in whole seconds; 0 if there is no such limit.
  var idleSeconds: UInt64 {
    guard let (seconds, rest) = idle?.components else { return 0 }
    return UInt64(max(0, seconds)) + (rest > 0 ? 1 : 0)
  }

  /// Returns the latest date at which a value stored now expires, regardless of how it is used, or
  /// nil if there is no such date.
  func expiry(from now: Date) -> Date? {
    let aged = age.map { now.addingTimeInterval($0 / .seconds(1)) }
    return [deadline, aged].compactMap { $0 }.min()
  }
}
