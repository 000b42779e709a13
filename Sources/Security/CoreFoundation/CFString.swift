// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// MARK: Creating

/// Creates a string from a copy of bytes.
///
/// - Parameter isExternalRepresentation: True if the bytes may begin with a byte order mark, which
///   is then not part of the string.
/// - Returns: The string, or nil if the bytes are no text in the encoding.
public func CFStringCreateWithBytes(
  _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>!, _ numBytes: CFIndex,
  _ encoding: CFStringEncoding, _ isExternalRepresentation: Bool
) -> CFString! {
  guard let encoding = CFStringBuiltInEncodings(rawValue: encoding) else { return nil }
  return string(
    UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : numBytes),
    isExternalRepresentation ? encoding.foundation : encoding.inMemory)
}

/// Creates a string from bytes that end with a zero byte.
///
/// - Returns: The string, or nil if the bytes are no text in the encoding.
public func CFStringCreateWithCString(
  _ allocator: CFAllocator?, _ cStr: UnsafePointer<CChar>!, _ encoding: CFStringEncoding
) -> CFString! {
  guard let cStr, let encoding = CFStringBuiltInEncodings(rawValue: encoding) else { return nil }
  let count = strlen(cStr)
  return cStr.withMemoryRebound(to: UInt8.self, capacity: count) {
    string(UnsafeBufferPointer(start: $0, count: count), encoding.inMemory)
  }
}

/// Creates a string from data, as ``CFStringCreateExternalRepresentation(_:_:_:_:)`` makes it.
///
/// - Returns: The string, or nil if the data is no text in the encoding.
public func CFStringCreateFromExternalRepresentation(
  _ allocator: CFAllocator?, _ data: CFData!, _ encoding: CFStringEncoding
) -> CFString! {
  guard let data else { return nil }
  return CFStringCreateWithBytes(
    allocator, CFDataGetBytePtr(data), CFDataGetLength(data), encoding, true)
}

private func string(
  _ bytes: UnsafeBufferPointer<UInt8>, _ encoding: String.Encoding
) -> NSString? {
  // `String` reads some encodings wrongly on this platform.
  bytes.isEmpty ? "" : NSString(data: Data(bytes), encoding: encoding.rawValue)
}

/// Creates a copy of a string.
public func CFStringCreateCopy(_ allocator: CFAllocator?, _ string: CFString!) -> CFString! {
  string?.copy() as? NSString
}

/// Creates an empty string that can be changed.
///
/// - Parameter maxLength: Ignored. The string can always grow.
public func CFStringCreateMutable(
  _ allocator: CFAllocator?, _ maxLength: CFIndex
) -> CFMutableString! { NSMutableString(capacity: 0) }

/// Creates a copy of a string that can be changed.
///
/// - Parameter maxLength: Ignored. The string can always grow.
public func CFStringCreateMutableCopy(
  _ allocator: CFAllocator?, _ maxLength: CFIndex, _ string: CFString!
) -> CFMutableString! {
  string?.mutableCopy() as? NSMutableString
}

/// Creates a string from a range of UTF-16 code units of another.
public func CFStringCreateWithSubstring(
  _ allocator: CFAllocator?, _ string: CFString!, _ range: CFRange
) -> CFString! {
  string.map { $0.substring(with: range.range) as NSString }
}

/// Adds a string at the end of another.
public func CFStringAppend(_ string: CFMutableString!, _ appended: CFString!) {
  guard let appended else { return }
  string?.append(appended as String)
}

// MARK: Encoding

/// Returns a string as data.
///
/// - Parameter lossByte: The byte that replaces each character that the encoding does not have. With
///   0, the function returns nil for such characters.
/// - Returns: The data, or nil if the encoding is unknown.
public func CFStringCreateExternalRepresentation(
  _ allocator: CFAllocator?, _ string: CFString!, _ encoding: CFStringEncoding, _ lossByte: UInt8
) -> CFData! {
  guard let string, let encoding = CFStringBuiltInEncodings(rawValue: encoding)?.foundation.rawValue
  else { return nil }
  if let data = string.data(using: encoding) { return data as NSData }
  guard lossByte != 0 else { return nil }
  var data = Data()
  for character in (string as String).unicodeScalars {
    data += (String(character) as NSString).data(using: encoding) ?? Data([lossByte])
  }
  return data as NSData
}

/// Writes a string to a buffer, with a zero byte at its end.
///
/// - Returns: True if the buffer has room for the whole string.
public func CFStringGetCString(
  _ string: CFString!, _ buffer: UnsafeMutablePointer<CChar>!, _ bufferSize: CFIndex,
  _ encoding: CFStringEncoding
) -> Bool {
  guard let string, let buffer, bufferSize > 0,
    let encoding = CFStringBuiltInEncodings(rawValue: encoding),
    let data = string.data(using: encoding.inMemory.rawValue), data.count < bufferSize
  else { return false }
  for (position, byte) in data.enumerated() { buffer[position] = CChar(bitPattern: byte) }
  buffer[data.count] = 0
  return true
}

/// Returns nil. Use ``CFStringGetCString(_:_:_:_:)``, as on Apple's platforms for strings that are
/// not stored in the encoding.
public func CFStringGetCStringPtr(
  _ string: CFString!, _ encoding: CFStringEncoding
) -> UnsafePointer<CChar>! { nil }

// MARK: Comparing

/// Returns the number of UTF-16 code units in a string.
public func CFStringGetLength(_ string: CFString!) -> CFIndex { string?.length ?? 0 }

/// Returns true if a string begins with another.
public func CFStringHasPrefix(_ string: CFString!, _ prefix: CFString!) -> Bool {
  string?.hasPrefix((prefix ?? "") as String) ?? false
}

/// Returns true if a string ends with another.
public func CFStringHasSuffix(_ string: CFString!, _ suffix: CFString!) -> Bool {
  string?.hasSuffix((suffix ?? "") as String) ?? false
}

/// The ways to compare strings.
public struct CFStringCompareFlags: OptionSet, Hashable, Sendable {
  public let rawValue: CFOptionFlags
  /// Creates options from a bit mask.
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// Upper and lower case are equal.
  public static let compareCaseInsensitive = CFStringCompareFlags(rawValue: 1)
  /// The search begins at the end.
  public static let compareBackwards = CFStringCompareFlags(rawValue: 4)
  /// The search looks only at the beginning, or the end.
  public static let compareAnchored = CFStringCompareFlags(rawValue: 8)
  /// Composed and decomposed characters are equal.
  public static let compareNonliteral = CFStringCompareFlags(rawValue: 16)
  /// Numbers in the strings are compared by their value.
  public static let compareNumerically = CFStringCompareFlags(rawValue: 64)
  /// Characters with and without diacritics are equal.
  public static let compareDiacriticInsensitive = CFStringCompareFlags(rawValue: 128)
  /// Characters of full and half width are equal.
  public static let compareWidthInsensitive = CFStringCompareFlags(rawValue: 256)
  /// Strings are equal only if they are identical.
  public static let compareForcedOrdering = CFStringCompareFlags(rawValue: 512)
}

/// Compares two strings.
public func CFStringCompare(
  _ a: CFString!, _ b: CFString!, _ options: CFStringCompareFlags
) -> CFComparisonResult {
  // Foundation has the same bits, except that it names the literal comparison.
  var comparison = NSString.CompareOptions(
    rawValue: options.subtracting(.compareNonliteral).rawValue)
  if !options.contains(.compareNonliteral) { comparison.insert(.literal) }
  let order = (a ?? "").compare((b ?? "") as String, options: comparison)
  return CFComparisonResult(rawValue: order.rawValue)!
}
