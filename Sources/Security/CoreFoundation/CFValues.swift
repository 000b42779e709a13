// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// Numbers, Booleans, dates, UUIDs and errors.

// MARK: Numbers

/// The C types of numbers.
public enum CFNumberType: CFIndex, Sendable {
  /// `Int8`.
  case sInt8Type = 1
  /// `Int16`.
  case sInt16Type = 2
  /// `Int32`.
  case sInt32Type = 3
  /// `Int64`.
  case sInt64Type = 4
  /// `Float`.
  case float32Type = 5
  /// `Double`.
  case float64Type = 6
  /// `CChar`.
  case charType = 7
  /// `CShort`.
  case shortType = 8
  /// `CInt`.
  case intType = 9
  /// `CLong`.
  case longType = 10
  /// `CLongLong`.
  case longLongType = 11
  /// `CFloat`.
  case floatType = 12
  /// `CDouble`.
  case doubleType = 13
  /// `CFIndex`.
  case cfIndexType = 14
  /// `Int`.
  case nsIntegerType = 15
  /// `CGFloat`.
  case cgFloatType = 16
}

/// Creates a number from a pointer to a value of the type.
public func CFNumberCreate(
  _ allocator: CFAllocator?, _ type: CFNumberType, _ value: UnsafeRawPointer!
) -> CFNumber! {
  guard let value else { return nil }
  return switch type {
  // A number that is created from a C `char` would be a Boolean.
  case .sInt8Type, .charType: NSNumber(value: Int16(value.loadUnaligned(as: Int8.self)))
  case .sInt16Type, .shortType: NSNumber(value: value.loadUnaligned(as: Int16.self))
  case .sInt32Type, .intType: NSNumber(value: value.loadUnaligned(as: Int32.self))
  case .sInt64Type, .longLongType: NSNumber(value: value.loadUnaligned(as: Int64.self))
  case .longType, .cfIndexType, .nsIntegerType:
    NSNumber(value: value.loadUnaligned(as: Int.self))
  case .float32Type, .floatType: NSNumber(value: value.loadUnaligned(as: Float.self))
  case .float64Type, .doubleType: NSNumber(value: value.loadUnaligned(as: Double.self))
  case .cgFloatType:
    NSNumber(value: Double(value.loadUnaligned(as: CGFloat.self)))
  }
}

/// Writes a number to a pointer to a value of the type.
///
/// - Returns: True if the type can represent the number. The value is written in any case.
@discardableResult
public func CFNumberGetValue(
  _ number: CFNumber!, _ type: CFNumberType, _ value: UnsafeMutableRawPointer!
) -> Bool {
  guard let number, let value else { return false }
  func store<Value: BinaryInteger & BitwiseCopyable>(_ converted: Value) -> Bool {
    value.storeBytes(of: converted, as: Value.self)
    return NSNumber(value: Int64(converted)).isEqual(to: number)
  }
  func store<Value: BinaryFloatingPoint & BitwiseCopyable>(_ converted: Value) -> Bool {
    value.storeBytes(of: converted, as: Value.self)
    return NSNumber(value: Double(converted)).isEqual(to: number)
  }
  return switch type {
  case .sInt8Type, .charType: store(number.int8Value)
  case .sInt16Type, .shortType: store(number.int16Value)
  case .sInt32Type, .intType: store(number.int32Value)
  case .sInt64Type, .longLongType: store(number.int64Value)
  case .longType, .cfIndexType, .nsIntegerType: store(number.intValue)
  case .float32Type, .floatType: store(number.floatValue)
  case .float64Type, .doubleType, .cgFloatType: store(number.doubleValue)
  }
}

/// Compares two numbers.
///
/// - Parameter context: Ignored.
public func CFNumberCompare(
  _ a: CFNumber!, _ b: CFNumber!, _ context: UnsafeMutableRawPointer?
) -> CFComparisonResult {
  CFComparisonResult(rawValue: (a ?? 0).compare(b ?? 0).rawValue)!
}

/// Returns the value of a Boolean.
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean?.boolValue ?? false }

// MARK: Dates

/// The number of seconds between 1 January 1970 and 1 January 2001.
public let kCFAbsoluteTimeIntervalSince1970: CFTimeInterval = 978_307_200

/// Returns the present time.
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { Date.timeIntervalSinceReferenceDate }

/// Creates a date.
public func CFDateCreate(_ allocator: CFAllocator?, _ at: CFAbsoluteTime) -> CFDate! {
  NSDate(timeIntervalSinceReferenceDate: at)
}

/// Returns the time of a date.
public func CFDateGetAbsoluteTime(_ date: CFDate!) -> CFAbsoluteTime {
  date?.timeIntervalSinceReferenceDate ?? 0
}

/// Returns the number of seconds from the second date to the first.
public func CFDateGetTimeIntervalSinceDate(_ date: CFDate!, _ other: CFDate!) -> CFTimeInterval {
  CFDateGetAbsoluteTime(date) - CFDateGetAbsoluteTime(other)
}

/// Compares two dates.
///
/// - Parameter context: Ignored.
public func CFDateCompare(
  _ a: CFDate!, _ b: CFDate!, _ context: UnsafeMutableRawPointer?
) -> CFComparisonResult {
  let difference = CFDateGetTimeIntervalSinceDate(a, b)
  return difference < 0
    ? .compareLessThan : difference > 0 ? .compareGreaterThan : .compareEqualTo
}

// MARK: UUIDs

/// Creates a random UUID.
public func CFUUIDCreate(_ allocator: CFAllocator?) -> CFUUID! { NSUUID() }

/// Returns a UUID as text in upper case.
public func CFUUIDCreateString(_ allocator: CFAllocator?, _ uuid: CFUUID!) -> CFString! {
  uuid.map { $0.uuidString as NSString }
}

/// Creates a UUID from text. Returns nil if the text is not a UUID.
public func CFUUIDCreateFromString(_ allocator: CFAllocator?, _ string: CFString!) -> CFUUID! {
  string.flatMap { NSUUID(uuidString: $0 as String) }
}

// MARK: Errors

/// Creates an error.
public func CFErrorCreate(
  _ allocator: CFAllocator?, _ domain: CFErrorDomain!, _ code: CFIndex, _ userInfo: CFDictionary!
) -> CFError! {
  NSError(
    domain: (domain ?? "") as String, code: code, userInfo: userInfo as? [String: Any] ?? [:])
}

/// Returns the code of an error.
public func CFErrorGetCode(_ error: CFError!) -> CFIndex { error?.code ?? 0 }

/// Returns the domain of an error.
public func CFErrorGetDomain(_ error: CFError!) -> CFErrorDomain! {
  error.map { $0.domain as NSString }
}

/// Returns the message of an error.
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! {
  error.map { $0.localizedDescription as NSString }
}

/// Returns why an error occurred, or nil if the error does not say it.
public func CFErrorCopyFailureReason(_ error: CFError!) -> CFString! {
  error?.localizedFailureReason.map { $0 as NSString }
}

/// Returns what can be done about an error, or nil if the error does not say it.
public func CFErrorCopyRecoverySuggestion(_ error: CFError!) -> CFString! {
  error?.localizedRecoverySuggestion.map { $0 as NSString }
}

/// Returns the user information of an error: the details beyond its code and domain.
public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! {
  error.map { $0.userInfo as NSDictionary }
}

// `nonisolated(unsafe)` is safe here, because a literal never changes.

/// The domain of errors whose code is an ``OSStatus``.
public nonisolated(unsafe) let kCFErrorDomainOSStatus: CFErrorDomain! = "NSOSStatusErrorDomain"
/// The domain of errors of system calls.
public nonisolated(unsafe) let kCFErrorDomainPOSIX: CFErrorDomain! = "NSPOSIXErrorDomain"
/// The domain of Foundation's errors.
public nonisolated(unsafe) let kCFErrorDomainCocoa: CFErrorDomain! = "NSCocoaErrorDomain"
/// The key of an error's message.
public nonisolated(unsafe) let kCFErrorLocalizedDescriptionKey: CFString! =
  "NSLocalizedDescription"
/// The key of the reason of an error.
public nonisolated(unsafe) let kCFErrorLocalizedFailureReasonKey: CFString! =
  "NSLocalizedFailureReason"
/// The key of the remedy for an error.
public nonisolated(unsafe) let kCFErrorLocalizedRecoverySuggestionKey: CFString! =
  "NSLocalizedRecoverySuggestion"
/// The key of the error that caused another.
public nonisolated(unsafe) let kCFErrorUnderlyingErrorKey: CFString! = "NSUnderlyingError"
