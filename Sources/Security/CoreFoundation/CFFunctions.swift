import Foundation

/// Returns true if two objects have equal content.
public func CFEqual(_ a: CFTypeRef!, _ b: CFTypeRef!) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  return (a as? NSObject)?.isEqual(b) ?? (a === b)
}

/// Returns a hash of an object. Equal objects have equal hashes.
public func CFHash(_ object: CFTypeRef!) -> UInt {
  UInt(bitPattern: (object as? NSObject)?.hash ?? 0)
}

/// Returns a description of an object for debugging.
///
/// The description of a ``SecKey`` contains no secrets. The description of a string or data object
/// shows its content.
public func CFCopyDescription(_ object: CFTypeRef!) -> CFString! {
  ((object as? NSObject)?.description ?? "") as NSString
}

/// Returns the value of a Boolean.
public func CFBooleanGetValue(_ boolean: CFBoolean!) -> Bool { boolean?.boolValue ?? false }

/// Returns the number of bytes in a data object.
public func CFDataGetLength(_ data: CFData!) -> CFIndex { data?.length ?? 0 }
/// Creates data from a copy of the bytes.
public func CFDataCreate(
  _ allocator: CFAllocator?, _ bytes: UnsafePointer<UInt8>!, _ length: CFIndex
) -> CFData! {
  guard let bytes, length > 0 else { return NSData() }
  return NSData(bytes: bytes, length: length)
}
/// Returns a pointer to the first byte of a data object. The pointer is valid as long as the object
/// exists.
public func CFDataGetBytePtr(_ data: CFData!) -> UnsafePointer<UInt8>! {
  data?.bytes.assumingMemoryBound(to: UInt8.self)
}

/// Returns the number of objects in an array.
public func CFArrayGetCount(_ array: CFArray!) -> CFIndex { array?.count ?? 0 }

/// Returns the number of key-value pairs in a dictionary.
public func CFDictionaryGetCount(_ dictionary: CFDictionary!) -> CFIndex {
  dictionary?.count ?? 0
}
/// Sets the value of a key in a dictionary.
public func CFDictionarySetValue(
  _ dictionary: CFMutableDictionary!, _ key: CFString, _ value: CFTypeRef
) {
  dictionary?[key] = value
}

/// Returns the number of UTF-16 code units in a string.
public func CFStringGetLength(_ string: CFString!) -> CFIndex { string?.length ?? 0 }

/// Returns the code of an error.
public func CFErrorGetCode(_ error: CFError!) -> CFIndex { error?.code ?? 0 }
/// Returns the domain of an error.
public func CFErrorGetDomain(_ error: CFError!) -> CFString! {
  error.map { $0.domain as NSString }
}
/// Returns the message of an error.
public func CFErrorCopyDescription(_ error: CFError!) -> CFString! {
  error.map { $0.localizedDescription as NSString }
}
/// Returns the user information of an error: the details beyond its code and domain.
public func CFErrorCopyUserInfo(_ error: CFError!) -> CFDictionary! {
  error.map { $0.userInfo as NSDictionary }
}
