// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// Functions for objects of any type.

/// Returns true if two objects have equal content.
public func CFEqual(_ a: CFTypeRef!, _ b: CFTypeRef!) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return (a as? NSObject)?.isEqual(b) ?? (a === b)
}

/// Returns a hash of an object. Equal objects have equal hashes.
public func CFHash(_ object: CFTypeRef!) -> CFHashCode {
  UInt(bitPattern: (object as? NSObject)?.hash ?? 0)
}

/// Returns a description of an object for debugging.
///
/// The description of a ``SecKey`` contains no secrets. The description of a string or data object
/// shows its content.
public func CFCopyDescription(_ object: CFTypeRef!) -> CFString! {
  ((object as? NSObject)?.description ?? "") as NSString
}

/// Returns an object as a Core Foundation object, which Swift retains.
public func CFBridgingRetain(_ object: Any?) -> CFTypeRef? { object.map { $0 as AnyObject } }

/// Returns a Core Foundation object as a Swift value.
public func CFBridgingRelease(_ object: CFTypeRef?) -> Any? { object }

/// The order of two values.
public enum CFComparisonResult: CFIndex, Sendable {
  /// The first value is smaller.
  case compareLessThan = -1
  /// The values are equal.
  case compareEqualTo = 0
  /// The first value is greater.
  case compareGreaterThan = 1
}

/// A range of bytes, characters or elements.
public struct CFRange: Hashable, Sendable {
  /// The position of the first element.
  public var location: CFIndex
  /// The number of elements.
  public var length: CFIndex

  /// Creates an empty range at position 0.
  public init() { self.init(location: 0, length: 0) }

  /// Creates a range.
  public init(location: CFIndex, length: CFIndex) {
    (self.location, self.length) = (location, length)
  }

  var range: NSRange { NSRange(location: location, length: length) }
}

/// Creates a range.
public func CFRangeMake(_ location: CFIndex, _ length: CFIndex) -> CFRange {
  CFRange(location: location, length: length)
}
