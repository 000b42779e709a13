// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import Foundation

/// An error that says why a policy could not be evaluated or was not satisfied.
///
/// ```swift
/// do {
///   try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Pay")
/// } catch LAError.userCancel {
///   return
/// }
/// ```
///
/// On platforms other than Apple's, `as? LAError` converts an error that a method threw or passed
/// to a reply closure. The cast does not convert the `NSError` that
/// ``LAContext/canEvaluatePolicy(_:error:)`` sets. Check the code of the `NSError`, or convert it
/// with `init(_nsError:)`.
public struct LAError: CustomNSError, LocalizedError, Hashable, Sendable {
  /// The kind of error.
  public enum Code: Int, Sendable, CaseIterable {
    /// The user did not authenticate successfully.
    case authenticationFailed = -1
    /// The user dismissed the prompt.
    case userCancel = -2
    /// The user chose the application's own way to authenticate.
    case userFallback = -3
    /// The system dismissed the prompt.
    case systemCancel = -4
    /// No passcode is set.
    case passcodeNotSet = -5
    /// The device does not support biometry.
    case biometryNotAvailable = -6
    /// No finger or face is enrolled.
    case biometryNotEnrolled = -7
    /// Biometry is locked after too many failures. The passcode is required.
    case biometryLockout = -8
    /// The application dismissed the prompt.
    case appCancel = -9
    /// The context was invalidated.
    case invalidContext = -10
    /// No watch or phone is nearby.
    case companionNotAvailable = -11
    /// The biometric accessory is not paired.
    case biometryNotPaired = -12
    /// The biometric accessory is not connected.
    case biometryDisconnected = -13
    /// The view for the prompt is too small.
    case invalidDimensions = -14
    /// The user would have to be asked, but interaction is not allowed.
    case notInteractive = -1004

    /// The former name of ``biometryNotAvailable``.
    public static let touchIDNotAvailable = Code.biometryNotAvailable
    /// The former name of ``biometryNotEnrolled``.
    public static let touchIDNotEnrolled = Code.biometryNotEnrolled
    /// The former name of ``biometryLockout``.
    public static let touchIDLockout = Code.biometryLockout
    /// The former name of ``companionNotAvailable``.
    public static let watchNotAvailable = Code.companionNotAvailable

    /// Lets `catch LAError.userCancel` match an error by its code.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? LAError)?.code == code
    }
  }

  /// The user did not authenticate successfully.
  public static let authenticationFailed = Code.authenticationFailed
  /// The user dismissed the prompt.
  public static let userCancel = Code.userCancel
  /// The user chose the application's own way to authenticate.
  public static let userFallback = Code.userFallback
  /// The system dismissed the prompt.
  public static let systemCancel = Code.systemCancel
  /// No passcode is set.
  public static let passcodeNotSet = Code.passcodeNotSet
  /// The device does not support biometry.
  public static let biometryNotAvailable = Code.biometryNotAvailable
  /// The former name of ``biometryNotAvailable``.
  public static let touchIDNotAvailable = Code.biometryNotAvailable
  /// No finger or face is enrolled.
  public static let biometryNotEnrolled = Code.biometryNotEnrolled
  /// The former name of ``biometryNotEnrolled``.
  public static let touchIDNotEnrolled = Code.biometryNotEnrolled
  /// Biometry is locked after too many failures. The passcode is required.
  public static let biometryLockout = Code.biometryLockout
  /// The former name of ``biometryLockout``.
  public static let touchIDLockout = Code.biometryLockout
  /// The application dismissed the prompt.
  public static let appCancel = Code.appCancel
  /// The context was invalidated.
  public static let invalidContext = Code.invalidContext
  /// No watch or phone is nearby.
  public static let companionNotAvailable = Code.companionNotAvailable
  /// The former name of ``companionNotAvailable``.
  public static let watchNotAvailable = Code.companionNotAvailable
  /// The biometric accessory is not paired.
  public static let biometryNotPaired = Code.biometryNotPaired
  /// The biometric accessory is not connected.
  public static let biometryDisconnected = Code.biometryDisconnected
  /// The view for the prompt is too small.
  public static let invalidDimensions = Code.invalidDimensions
  /// The user would have to be asked, but interaction is not allowed.
  public static let notInteractive = Code.notInteractive

  /// The kind of error.
  public let code: Code
  private let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Creates an error with a code.
  ///
  /// - Parameter userInfo: The value of `NSLocalizedDescriptionKey` becomes the message. Other
  ///   values are ignored.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.init(code, userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)")
  }

  /// Converts an `NSError` of the domain ``LAErrorDomain``.
  ///
  /// An error of another domain, or with an unknown code, becomes ``authenticationFailed``. Check the
  /// domain first, as on Apple's platforms.
  public init(_nsError error: NSError) {
    let code = error.domain == LAErrorDomain ? Code(rawValue: error.code) : nil
    self.init(code ?? .authenticationFailed, error.localizedDescription)
  }

  /// The error domain, ``LAErrorDomain``.
  public static var errorDomain: String { LAErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var userInfo: [String: Any] { errorUserInfo }
  public var errorDescription: String? { message }
  public var localizedDescription: String { message }

  public static func == (a: LAError, b: LAError) -> Bool { a.code == b.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// Creates the error that corresponds to an error of the store.
  init(_ error: any Error) {
    if let error = error as? LAError {
      self = error
      return
    }
    let code: Code =
      switch (error as? AtRestError)?.code {
      case .canceled: .userCancel
      case .passcodePreferred: .userFallback
      case .passcodeNotSet: .passcodeNotSet
      case .biometryLockout: .biometryLockout
      case .interactionNotAllowed, .locked: .notInteractive
      case .notFound: .invalidContext
      case .notPermitted where (error as? AtRestError)?.isOfSystem == false: .biometryNotEnrolled
      case .authenticationFailed, .throttled: .authenticationFailed
      // The store itself failed, so nothing can be evaluated.
      default: .biometryNotAvailable
      }
    self.init(code, (error as? AtRestError)?.description ?? "\(error)")
  }

  /// Returns the error of a use of a key, if the user did not give the proof that the key requires, and
  /// otherwise nil.
  package static func refusedProof(_ error: AtRestError) -> LAError? {
    switch error.code {
    case .canceled, .passcodePreferred, .passcodeNotSet, .biometryLockout, .interactionNotAllowed,
      .authenticationFailed, .throttled:
      LAError(error)
    default: nil
    }
  }
}

/// The domain of ``LAError``.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// A pointer through which a method returns an error, or nil if the caller does not need the error.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
