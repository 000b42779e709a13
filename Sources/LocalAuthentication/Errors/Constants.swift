// The C names of the error codes.

/// The user did not authenticate successfully.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// The user dismissed the prompt.
public let kLAErrorUserCancel: Int32 = -2
/// The user chose the application's own way to authenticate.
public let kLAErrorUserFallback: Int32 = -3
/// The system dismissed the prompt.
public let kLAErrorSystemCancel: Int32 = -4
/// No passcode is set.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// The device does not support biometry.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// The former name of ``kLAErrorBiometryNotAvailable``.
public let kLAErrorTouchIDNotAvailable: Int32 = -6
/// No finger or face is enrolled.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// The former name of ``kLAErrorBiometryNotEnrolled``.
public let kLAErrorTouchIDNotEnrolled: Int32 = -7
/// Biometry is locked after too many failures. The passcode is required.
public let kLAErrorBiometryLockout: Int32 = -8
/// The former name of ``kLAErrorBiometryLockout``.
public let kLAErrorTouchIDLockout: Int32 = -8
/// The application dismissed the prompt.
public let kLAErrorAppCancel: Int32 = -9
/// The context was invalidated.
public let kLAErrorInvalidContext: Int32 = -10
/// No watch or phone is nearby.
public let kLAErrorCompanionNotAvailable: Int32 = -11
/// The former name of ``kLAErrorCompanionNotAvailable``.
public let kLAErrorWatchNotAvailable: Int32 = -11
/// The biometric accessory is not paired.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// The biometric accessory is not connected.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// The view for the prompt is too small.
public let kLAErrorInvalidDimensions: Int32 = -14
/// The user would have to be asked, but interaction is not allowed.
public let kLAErrorNotInteractive: Int32 = -1004
/// The value of ``LAPolicy/deviceOwnerAuthenticationWithBiometrics``.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1
/// The value of ``LAPolicy/deviceOwnerAuthentication``.
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2
