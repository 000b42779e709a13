// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation

// Core Foundation's types are aliases of Foundation's classes. `as CFDictionary` therefore bridges
// from Swift's dictionaries, as on Apple's platforms.

/// Any object.
public typealias CFTypeRef = AnyObject
/// Foundation's string.
public typealias CFString = NSString
/// Foundation's mutable string.
public typealias CFMutableString = NSMutableString
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
/// Foundation's number, because `as? Bool` accepts no other class. ``CFGetTypeID(_:)``
/// distinguishes a Boolean from a number.
public typealias CFBoolean = NSNumber
/// Foundation's null.
public typealias CFNull = NSNull
/// Foundation's URL.
public typealias CFURL = NSURL
/// Foundation's UUID.
public typealias CFUUID = NSUUID
/// The type of allocators. This module has only the default allocator, ``kCFAllocatorDefault``.
public final class CFAllocator: NSObject, Sendable {}

/// A signed number for indexes and counts.
public typealias CFIndex = Int
/// The number of seconds since 00:00 on 1 January 2001, GMT.
public typealias CFAbsoluteTime = CFTimeInterval
/// A number of seconds.
public typealias CFTimeInterval = Double
/// A hash of an object.
public typealias CFHashCode = UInt
/// A bit mask of options.
public typealias CFOptionFlags = UInt
/// The identifier of an object's type.
public typealias CFTypeID = UInt
/// A status code. 0 means success.
public typealias OSStatus = Int32
/// Four letters in one number.
public typealias FourCharCode = UInt32
/// Four letters that name a type.
public typealias OSType = FourCharCode
/// Zero, because the simulated device is a device and not Apple's simulator.
public let TARGET_OS_SIMULATOR: Int32 = 0
/// The domain of an error.
public typealias CFErrorDomain = CFString

/// The Boolean value true.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
/// The Boolean value false.
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
/// The null object.
public let kCFNull: CFNull! = NSNull()
/// The default allocator. Its value is nil.
public let kCFAllocatorDefault: CFAllocator? = nil
/// The allocator of the system, which is the default allocator.
public let kCFAllocatorSystemDefault: CFAllocator? = nil
/// The allocator of C, which is the default allocator.
public let kCFAllocatorMalloc: CFAllocator? = nil
// `nonisolated(unsafe)` is safe here, because a literal never changes.
/// The key of an application's identifier in its property list.
public nonisolated(unsafe) let kCFBundleIdentifierKey: CFString! = "CFBundleIdentifier"
/// The status code for success.
public let noErr: OSStatus = 0
