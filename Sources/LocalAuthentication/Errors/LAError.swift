import AtRestCrypto
import Foundation

/// Why a policy could not be evaluated, or was not met.
///
/// ```swift
/// do {
///   try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Pay")
/// } catch LAError.userCancel {
///   return
/// }
/// ```
///
/// Away from Apple's platforms `as? LAError` knows an error that was thrown or replied, and not an
/// `NSError` as ``LAContext/canEvaluatePolicy(_:error:)`` sets; look at its code, or make one of it:
/// `init(_nsError:)`.
public struct LAError: CustomNSError, LocalizedError, Hashable, Sendable {
  /// The kind of error.
  public enum Code: Int, Sendable, CaseIterable {
    /// The user showed something wrong.
    case authenticationFailed = -1
    /// The user dismissed the prompt.
    case userCancel = -2
    /// The user would rather use the application's own way.
    case userFallback = -3
    /// The system dismissed the prompt.
    case systemCancel = -4
    /// No passcode is set.
    case passcodeNotSet = -5
    /// The device has no biometry.
    case biometryNotAvailable = -6
    /// Nobody is enrolled.
    case biometryNotEnrolled = -7
    /// Biometry failed too often: the passcode is needed.
    case biometryLockout = -8
    /// The application dismissed the prompt.
    case appCancel = -9
    /// The context was invalidated.
    case invalidContext = -10
    /// There is no watch or phone nearby.
    case companionNotAvailable = -11
    /// The accessory for biometry is not paired.
    case biometryNotPaired = -12
    /// The accessory for biometry is not connected.
    case biometryDisconnected = -13
    /// The view for the prompt is too small.
    case invalidDimensions = -14
    /// The user would have to be asked, and that was forbidden.
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

  /// The user showed something wrong.
  public static let authenticationFailed = Code.authenticationFailed
  /// The user dismissed the prompt.
  public static let userCancel = Code.userCancel
  /// The user would rather use the application's own way.
  public static let userFallback = Code.userFallback
  /// The system dismissed the prompt.
  public static let systemCancel = Code.systemCancel
  /// No passcode is set.
  public static let passcodeNotSet = Code.passcodeNotSet
  /// The device has no biometry.
  public static let biometryNotAvailable = Code.biometryNotAvailable
  /// The former name of ``biometryNotAvailable``.
  public static let touchIDNotAvailable = Code.biometryNotAvailable
  /// Nobody is enrolled.
  public static let biometryNotEnrolled = Code.biometryNotEnrolled
  /// The former name of ``biometryNotEnrolled``.
  public static let touchIDNotEnrolled = Code.biometryNotEnrolled
  /// Biometry failed too often: the passcode is needed.
  public static let biometryLockout = Code.biometryLockout
  /// The former name of ``biometryLockout``.
  public static let touchIDLockout = Code.biometryLockout
  /// The application dismissed the prompt.
  public static let appCancel = Code.appCancel
  /// The context was invalidated.
  public static let invalidContext = Code.invalidContext
  /// There is no watch or phone nearby.
  public static let companionNotAvailable = Code.companionNotAvailable
  /// The former name of ``companionNotAvailable``.
  public static let watchNotAvailable = Code.companionNotAvailable
  /// The accessory for biometry is not paired.
  public static let biometryNotPaired = Code.biometryNotPaired
  /// The accessory for biometry is not connected.
  public static let biometryDisconnected = Code.biometryDisconnected
  /// The view for the prompt is too small.
  public static let invalidDimensions = Code.invalidDimensions
  /// The user would have to be asked, and that was forbidden.
  public static let notInteractive = Code.notInteractive

  /// What kind of error it is.
  public let code: Code
  private let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Makes an error.
  ///
  /// - Parameter userInfo: Its `NSLocalizedDescriptionKey` is the error's message; the rest is not kept.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    self.init(code, userInfo[NSLocalizedDescriptionKey] as? String ?? "\(code)")
  }

  /// The error that an `NSError` stands for, or nil where it is of another domain or an unknown code.
  public init?(_nsError error: NSError) {
    guard error.domain == LAErrorDomain, let code = Code(rawValue: error.code) else { return nil }
    self.init(code, error.localizedDescription)
  }

  /// ``LAErrorDomain``.
  public static var errorDomain: String { LAErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: message] }
  public var userInfo: [String: Any] { errorUserInfo }
  public var errorDescription: String? { message }
  public var localizedDescription: String { message }

  public static func == (a: LAError, b: LAError) -> Bool { a.code == b.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  /// What an error of the store is here.
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
      case .interactionNotAllowed: .notInteractive
      case .notPermitted: .biometryNotEnrolled
      case .authenticationFailed, .throttled: .authenticationFailed
      // The store itself: there is nothing to evaluate with.
      default: .biometryNotAvailable
      }
    self.init(code, (error as? AtRestError)?.description ?? "\(error)")
  }
}

/// The domain of ``LAError``.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Where an error goes, or nil.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
