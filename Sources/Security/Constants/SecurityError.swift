import AtRestCrypto
import AtRestKeychain
import Foundation

extension Optional where Wrapped == UnsafeMutablePointer<Unmanaged<CFError>?> {
  /// Sets the error that the caller receives and has to release.
  func set(_ status: OSStatus, _ message: String) {
    self?.pointee = .passRetained(
      NSError(
        domain: NSOSStatusErrorDomain, code: Int(status),
        userInfo: [NSLocalizedDescriptionKey: message]))
  }

  /// Converts an error of the store, and sets it as the error that the caller receives.
  func set(_ error: any Error) {
    set(OSStatus(of: error), (error as? AtRestError)?.description ?? "\(error)")
  }
}

extension OSStatus {
  /// Creates the status code that corresponds to an error of the store.
  init(of error: any Error) {
    self =
      switch (error as? AtRestError)?.code {
      case .notFound: errSecItemNotFound
      case .notPermitted where (error as? AtRestError)?.cause is ExportRefusal:
        errSecDataNotAvailable
      case .notPermitted where (error as? AtRestError)?.isOfSystem == true: errSecIO
      case .duplicate: errSecDuplicateItem
      case .locked, .interactionNotAllowed: errSecInteractionNotAllowed
      case .missingEntitlement: errSecMissingEntitlement
      case .authenticationFailed, .notPermitted, .throttled, .passcodeNotSet, .passcodePreferred,
        .biometryLockout:
        errSecAuthFailed
      case .canceled: errSecUserCanceled
      case .damaged, .rolledBack, .otherStore, .otherDevice, .unsupportedVersion: errSecDecode
      case .noSuchAttribute: errSecNoSuchAttr
      case .invalidArgument: errSecParam
      case .wiped, .storeMissing, .deviceMissing: errSecNotAvailable
      case .busy, .deviceUnavailable: errSecNotAvailable
      case .system: errSecIO
      default: errSecInternalError
      }
  }
}
