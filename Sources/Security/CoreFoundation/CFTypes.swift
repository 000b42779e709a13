import Foundation

// Core Foundation's types, as Foundation's classes: `as CFDictionary` bridges from Swift's
// dictionaries as it does on Apple's platforms.

/// Any object.
public typealias CFTypeRef = AnyObject
/// Foundation's string.
public typealias CFString = NSString
/// Foundation's dictionary.
public typealias CFDictionary = NSDictionary
/// Foundation's mutable dictionary.
public typealias CFMutableDictionary = NSMutableDictionary
/// Foundation's array.
public typealias CFArray = NSArray
/// Foundation's mutable array.
public typealias CFMutableArray = NSMutableArray
/// Foundation's data.
public typealias CFData = NSData
/// Foundation's mutable data.
public typealias CFMutableData = NSMutableData
/// Foundation's date.
public typealias CFDate = NSDate
/// Foundation's error.
public typealias CFError = NSError
/// Foundation's number.
public typealias CFNumber = NSNumber
/// Foundation's number as well, since `as? Bool` knows no other class; ``CFGetTypeID(_:)`` tells a
/// Boolean from a number.
public typealias CFBoolean = NSNumber
/// Foundation's null.
public typealias CFNull = NSNull
/// Foundation's URL.
public typealias CFURL = NSURL
/// There is but one allocator, and it is never named.
public final class CFAllocator: NSObject, Sendable {}

/// A signed number that an index or a count is.
public typealias CFIndex = Int
/// Seconds since the first moment of 2001, GMT.
public typealias CFAbsoluteTime = Double
/// Bits that are options.
public typealias CFOptionFlags = UInt
/// What kind of object an object is.
public typealias CFTypeID = UInt
/// A status code: 0 is success.
public typealias OSStatus = Int32

/// True.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// False.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// Null.
public let kCFNull: CFNull! = NSNull()
/// The default allocator, which is nil.
public let kCFAllocatorDefault: CFAllocator? = nil
/// No error.
public let noErr: OSStatus = 0
