import AtRestCrypto
import Foundation

/// A protection that this device or store cannot provide, described for the user.
public struct StoreRisk: Hashable, Sendable, Codable {
  /// A stable name, such as `no-passcode`.
  public let id: String
  /// The consequence, as a sentence.
  public let message: String
  /// The advice, as a sentence.
  public let remedy: String

  /// Creates a risk.
  public init(id: String, message: String, remedy: String) {
    self.id = id
    self.message = message
    self.remedy = remedy
  }
}
