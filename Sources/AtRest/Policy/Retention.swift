import AtRestCrypto
import Foundation

/// How long a value is kept: until the first of its limits is reached, and at most until the logout.
///
/// ```swift
/// .days(30)
/// Retention(until: flight.arrival)
/// Retention(uses: 1)                 // read once
/// ```
public struct Retention: Sendable, Hashable, CustomStringConvertible {
  /// The point in time at which it goes.
  public var deadline: Date?
  /// How long it is kept after it was stored.
  public var age: Duration?
  /// How long it is kept after it was last read.
  public var idle: Duration?
  /// How often it can be read.
  public var uses: Int?

  /// Makes a retention of limits; those left out do not apply.
  public init(
    until deadline: Date? = nil, age: Duration? = nil, idle: Duration? = nil, uses: Int? = nil
  ) {
    self.deadline = deadline
    self.age = age
    self.idle = idle
    self.uses = uses
  }

  /// Until the account logs out, or the vault is wiped.
  public static let untilLogout = Retention()

  /// For some days after it was stored.
  public static func days(_ count: Int) -> Retention { Retention(age: .seconds(count * 86_400)) }

  /// For some minutes after it was stored.
  public static func minutes(_ count: Int) -> Retention { Retention(age: .seconds(count * 60)) }

  /// Whether there is a limit at all.
  public var isLimited: Bool { self != .untilLogout }

  public var description: String {
    var limits: [String] = []
    if let deadline { limits.append("until \(deadline.ISO8601Format())") }
    if let age { limits.append("\(Self.words(age)) from when it is stored") }
    if let idle { limits.append("\(Self.words(idle)) from when it was last read") }
    if let uses { limits.append(uses == 1 ? "one reading" : "\(uses) readings") }
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

  /// - Throws: ``AtRestError/Code/invalidArgument`` for limits that keep nothing.
  func check(at now: Date) throws {
    let isPast = deadline.map { $0 <= now } ?? false
    let isEmpty = [age, idle].contains { $0.map { $0 <= .zero } ?? false }
    guard !isPast, !isEmpty, uses.map({ $0 >= 1 && $0 < UInt32.max }) ?? true else {
      throw AtRestError.invalid(
        "The retention (\(self)) keeps nothing.",
        remedy: "Give a deadline to come, durations above zero and at least one use.")
    }
  }

  /// How long it may go unread, in whole seconds; 0: any time.
  var idleSeconds: UInt64 {
    guard let (seconds, rest) = idle?.components else { return 0 }
    return UInt64(max(0, seconds)) + (rest > 0 ? 1 : 0)
  }

  /// When a value stored now has to go, whatever is done with it.
  func expiry(from now: Date) -> Date? {
    let aged = age.map { now.addingTimeInterval($0 / .seconds(1)) }
    return [deadline, aged].compactMap { $0 }.min()
  }
}
