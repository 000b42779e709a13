import Foundation

/// Whether two objects are equal, by content.
public func CFEqual(_ a: CFTypeRef!, _ b: CFTypeRef!) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return (a as? NSObject)?.isEqual(b) ?? (a === b)
}

/// A number that equal objects share.
public func CFHash(_ object: CFTypeRef!) -> UInt {
  UInt(bitPattern: (object as? NSObject)?.hash ?? 0)
}

/// What an object looks like, for people. Nothing secret is in it.
public func CFCopyDescription(_ object: CFTypeRef!) -> CFString! {
  ((object as? NSObject)?.description ?? "") as NSString
}

/// The value of a Boolean.
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean?.boolValue ?? false }

/// The number of bytes.
public func CFDataGetLength(_ data: CFData!) -> CFIndex { data?.length ?? 0 }
/// Data with a copy of bytes.
public func CFDataCreate(
  _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! {
  guard let bytes, length > 0 else { return NSData() }
  return NSData(bytes: bytes, length: length)
}
/// The first of the bytes; valid while the data is.
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
  data?.bytes.assumingMemoryBound(to: UInt8.self)
}

/// The number of objects.
public func CFArrayGetCount(_ array: CFArray!) -> CFIndex { array?.count ?? 0 }

/// The number of pairs.
public func CFDictionaryGetCount(_ dictionary: CFDictionary!) -> CFIndex {
  dictionary?.count ?? 0
}
/// Sets a value of a dictionary.
public func CFDictionarySetValue(
  _ dictionary: CFMutableDictionary!, _ key: CFString, _ value: CFTypeRef
) {
  dictionary?[key] = value
}

/// The number of UTF-16 units.
public func CFStringGetLength(_ string: CFString!) -> CFIndex { string?.length ?? 0 }

/// The code of an error.
public func CFErrorGetCode(_ error: CFError!) -> CFIndex { error?.code ?? 0 }
/// The domain of an error.
public func CFErrorGetDomain(_ error: CFError!) -> CFString! {
  error.map { $0.domain as NSString }
}
/// An error's message.
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! {
  error.map { $0.localizedDescription as NSString }
}
/// What is known of an error beside code and domain.
public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! {
  error.map { $0.userInfo as NSDictionary }
}
