// C's names of the codes.

/// The user showed something wrong.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// The user dismissed the prompt.
public let kLAErrorUserCancel: Int32 = -2
/// The user would rather use the application's own way.
public let kLAErrorUserFallback: Int32 = -3
/// The system dismissed the prompt.
public let kLAErrorSystemCancel: Int32 = -4
/// No passcode is set.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// The device has no biometry.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// The former name of ``kLAErrorBiometryNotAvailable``.
public let kLAErrorTouchIDNotAvailable: Int32 = -6
/// Nobody is enrolled.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// The former name of ``kLAErrorBiometryNotEnrolled``.
public let kLAErrorTouchIDNotEnrolled: Int32 = -7
/// Biometry failed too often: the passcode is needed.
public let kLAErrorBiometryLockout: Int32 = -8
/// The former name of ``kLAErrorBiometryLockout``.
public let kLAErrorTouchIDLockout: Int32 = -8
/// The application dismissed the prompt.
public let kLAErrorAppCancel: Int32 = -9
/// The context was invalidated.
public let kLAErrorInvalidContext: Int32 = -10
/// There is no watch or phone nearby.
public let kLAErrorCompanionNotAvailable: Int32 = -11
/// The former name of ``kLAErrorCompanionNotAvailable``.
public let kLAErrorWatchNotAvailable: Int32 = -11
/// The accessory for biometry is not paired.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// The accessory for biometry is not connected.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// The view for the prompt is too small.
public let kLAErrorInvalidDimensions: Int32 = -14
/// The user would have to be asked, and that was forbidden.
public let kLAErrorNotInteractive: Int32 = -1004
/// ``LAPolicy/deviceOwnerAuthenticationWithBiometrics``.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1
/// ``LAPolicy/deviceOwnerAuthentication``.
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2
