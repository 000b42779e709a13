import Logging

/// The log of calls that are refused for a reason that a status does not give.
enum CommonCryptoLog {
  static let logger = Logger(label: "atrest.commoncrypto")

  static func refuse(_ function: String, _ reason: String) {
    logger.error("\(function) is refused: \(reason)")
  }
}
