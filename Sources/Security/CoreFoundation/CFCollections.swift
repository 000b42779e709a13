import Foundation

// Collections by pointers, as C code uses them. A pointer that a function returns is never released,
// because the collections of Foundation on this platform create its object for the call. Use Swift's
// subscripts for secrets and in loops.

/// The callbacks for the keys of a dictionary. This module ignores them.
public struct CFDictionaryKeyCallBacks: Sendable {
  /// Creates callbacks that do nothing.
  public init() {}
}

/// The callbacks for the values of a dictionary. This module ignores them.
public struct CFDictionaryValueCallBacks: Sendable {
  /// Creates callbacks that do nothing.
  public init() {}
}

/// The callbacks for the values of an array. This module ignores them.
public struct CFArrayCallBacks: Sendable {
  /// Creates callbacks that do nothing.
  public init() {}
}

// `nonisolated(unsafe)` is safe here, because the values have no state. They are variables so that
// callers can pass them with `&`.

/// The callbacks for keys that are objects.
public nonisolated(unsafe) var kCFTypeDictionaryKeyCallBacks = CFDictionaryKeyCallBacks()
/// The callbacks for values that are objects.
public nonisolated(unsafe) var kCFTypeDictionaryValueCallBacks = CFDictionaryValueCallBacks()
/// The callbacks for elements that are objects.
public nonisolated(unsafe) var kCFTypeArrayCallBacks = CFArrayCallBacks()

/// Creates an empty dictionary.
///
/// - Parameters:
///   - capacity: Ignored.
///   - keyCallBacks: Ignored. Keys and values are objects.
public func CFDictionaryCreateMutable(
  _ allocator: CFAllocator?, _ capacity: CFIndex,
  _ keyCallBacks: UnsafePointer<CFDictionaryKeyCallBacks>?,
  _ valueCallBacks: UnsafePointer<CFDictionaryValueCallBacks>?
) -> CFMutableDictionary! { NSMutableDictionary() }

/// Sets the value of a key in a dictionary. Both are pointers to objects.
public func CFDictionarySetValue(
  _ dictionary: CFMutableDictionary!, _ key: UnsafeRawPointer!, _ value: UnsafeRawPointer!
) {
  guard let key: NSString = object(key), let value: AnyObject = object(value) else { return }
  dictionary?[key] = value
}

/// Returns a pointer to the value of a key in a dictionary, or nil if there is none.
///
/// Each call returns a new object that is never released. If the value is a secret, such as that of
/// `kSecValueData`, each call leaves a copy in memory until the process ends. Use
/// `dictionary[kSecValueData]` instead.
public func CFDictionaryGetValue(
  _ dictionary: CFDictionary!, _ key: UnsafeRawPointer!
) -> UnsafeRawPointer! {
  guard let key: NSString = object(key) else { return nil }
  return pointer(dictionary?[key])
}

/// Creates an array of objects.
///
/// - Parameters:
///   - values: Pointers to the objects.
///   - callBacks: Ignored.
public func CFArrayCreate(
  _ allocator: CFAllocator?, _ values: UnsafeMutablePointer<UnsafeRawPointer?>!,
  _ numValues: CFIndex, _ callBacks: UnsafePointer<CFArrayCallBacks>?
) -> CFArray! {
  UnsafeBufferPointer(start: values, count: values == nil ? 0 : numValues)
    .compactMap { (pointer: UnsafeRawPointer?) -> AnyObject? in object(pointer) } as NSArray
}

/// Returns a pointer to an element of an array. The position must be valid.
///
/// Each call returns a new object that is never released. If the element is a secret, each call
/// leaves a copy in memory until the process ends. Use `array[index]` instead.
public func CFArrayGetValueAtIndex(_ array: CFArray!, _ index: CFIndex) -> UnsafeRawPointer! {
  pointer(array?[index])
}

/// Returns an object as a Core Foundation object, which Swift retains.
public func CFBridgingRetain(_ object: Any?) -> CFTypeRef? { object.map { $0 as AnyObject } }

/// Returns a Core Foundation object as a Swift value.
public func CFBridgingRelease(_ object: CFTypeRef?) -> Any? { object }

private func object<Object: AnyObject>(_ pointer: UnsafeRawPointer?) -> Object? {
  pointer.flatMap { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() as? Object }
}

private func pointer(_ value: Any?) -> UnsafeRawPointer? {
  value.map { UnsafeRawPointer(Unmanaged.passRetained($0 as AnyObject).toOpaque()) }
}
