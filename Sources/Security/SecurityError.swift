import AtRestCrypto
import AtRestKeychain
import Foundation

/// A status code on its way to the caller, who gets the message where the call returns an error.
struct StatusError: Error {
  let status: OSStatus
  let message: String

  init(_ status: OSStatus, _ message: String = "") {
    self.status = status
    self.message = message
  }
}

extension Optional where Wrapped == UnsafeMutablePointer<Unmanaged<CFError>?> {
  /// Hands an error to the caller, who releases it.
  func set(_ status: OSStatus, _ message: String) {
    self?.pointee = .passRetained(
      NSError(
        domain: NSOSStatusErrorDomain, code: Int(status),
        userInfo: [NSLocalizedDescriptionKey: message]))
  }

  /// Hands an error of the store to the caller, with its status code.
  func set(_ error: any Error) {
    set(OSStatus(of: error), (error as? AtRestError)?.description ?? "\(error)")
  }
}

extension OSStatus {
  /// The status code that says what an error of the store says.
  init(of error: any Error) {
    self =
      switch (error as? AtRestError)?.code {
      case .notFound: errSecItemNotFound
      case .notPermitted where (error as? AtRestError)?.cause is ExportRefusal:
        errSecDataNotAvailable
      case .duplicate: errSecDuplicateItem
      case .locked, .interactionNotAllowed: errSecInteractionNotAllowed
      case .missingEntitlement: errSecMissingEntitlement
      case .authenticationFailed, .notPermitted, .throttled, .passcodeNotSet, .passcodePreferred,
        .biometryLockout:
        errSecAuthFailed
      case .canceled: errSecUserCanceled
      case .damaged, .rolledBack, .otherStore, .unsupportedVersion: errSecDecode
      case .noSuchAttribute: errSecNoSuchAttr
      case .invalidArgument: errSecParam
      case .wiped, .storeMissing: errSecNotAvailable
      case .busy: errSecNotAvailable
      case .system: errSecIO
      default: errSecInternalError
      }
  }
}
