@_spi(Tools) import AtRestCrypto
import Foundation

extension Keybag {
  /// Returns the risk that the store has no passcode, at most once a day for each store and device.
  ///
  /// Call this method before something is stored, and show the result to the user. The device
  /// remembers the time of the last notice. If that memory is lost, or the clock was set back, the
  /// notice is given once more.
  ///
  /// - Parameter now: The current time.
  /// - Returns: The risk, or nil if the store has a passcode or the user was told less than a day
  ///   ago.
  package func passcodeNotice(at now: Date = Date()) -> StoreRisk? {
    guard !hasPasscode else { return nil }
    let name = "\(store)-passcode-notice"
    // A memory that cannot be read or written only means that the notice is given again.
    if let told = (try? device.recall(name)).flatMap({ $0 }).flatMap(Self.time),
      (0..<Self.noticeInterval).contains(now.timeIntervalSince(told))
    {
      return nil
    }
    var writer = ByteWriter()
    writer.integer(Int64(now.timeIntervalSince1970.rounded(.down)))
    try? device.remember(writer.data, as: name, durably: false)
    return risks.first { $0.id == "no-passcode" }
  }

  /// A day, in seconds.
  private static let noticeInterval: TimeInterval = 86_400

  private static func time(_ memory: Data) -> Date? {
    memory.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The time of the last notice")
      guard let seconds = try? reader.integer(Int64.self) else { return nil }
      return Date(timeIntervalSince1970: TimeInterval(seconds))
    }
  }
}
