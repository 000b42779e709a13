// The algorithms of keys, which `LocalAuthentication` has too.
@_exported import AtRestSecKey
// On Apple's platforms, `import Security` brings Foundation's bridged types along, and code relies on
// it. The module exports names of Foundation, and not Foundation: a file that imports AtRestFoundation
// as well would otherwise see Foundation's calls twice, and `data.write(to:options:)` would be ambiguous.
@_exported import Dispatch

@_exported import class Foundation.Bundle
@_exported import struct Foundation.CharacterSet
@_exported import struct Foundation.CocoaError
@_exported import protocol Foundation.ContiguousBytes
@_exported import protocol Foundation.CustomNSError
@_exported import struct Foundation.Data
@_exported import protocol Foundation.DataProtocol
@_exported import struct Foundation.Date
@_exported import class Foundation.DateFormatter
@_exported import class Foundation.FileManager
@_exported import class Foundation.ISO8601DateFormatter
@_exported import struct Foundation.IndexSet
@_exported import class Foundation.JSONDecoder
@_exported import class Foundation.JSONEncoder
@_exported import class Foundation.JSONSerialization
@_exported import struct Foundation.Locale
@_exported import protocol Foundation.LocalizedError
@_exported import class Foundation.NSArray
@_exported import protocol Foundation.NSCoding
@_exported import protocol Foundation.NSCopying
@_exported import class Foundation.NSData
@_exported import class Foundation.NSDate
@_exported import class Foundation.NSDictionary
@_exported import class Foundation.NSError
@_exported import class Foundation.NSKeyedArchiver
@_exported import class Foundation.NSKeyedUnarchiver
@_exported import class Foundation.NSLock
@_exported import func Foundation.NSLog
@_exported import class Foundation.NSMutableArray
@_exported import protocol Foundation.NSMutableCopying
@_exported import class Foundation.NSMutableData
@_exported import class Foundation.NSMutableDictionary
@_exported import class Foundation.NSMutableSet
@_exported import class Foundation.NSMutableString
@_exported import class Foundation.NSNull
@_exported import class Foundation.NSNumber
@_exported import let Foundation.NSOSStatusErrorDomain
@_exported import class Foundation.NSObject
@_exported import protocol Foundation.NSObjectProtocol
@_exported import struct Foundation.NSRange
@_exported import class Foundation.NSRecursiveLock
@_exported import protocol Foundation.NSSecureCoding
@_exported import class Foundation.NSSet
@_exported import class Foundation.NSString
@_exported import class Foundation.NSURL
@_exported import class Foundation.NSUUID
@_exported import struct Foundation.Notification
@_exported import class Foundation.NotificationCenter
@_exported import class Foundation.OperationQueue
@_exported import class Foundation.ProcessInfo
@_exported import class Foundation.PropertyListDecoder
@_exported import class Foundation.PropertyListEncoder
@_exported import class Foundation.PropertyListSerialization
@_exported import protocol Foundation.RecoverableError
@_exported import class Foundation.Thread
@_exported import typealias Foundation.TimeInterval
@_exported import struct Foundation.URL
@_exported import struct Foundation.UUID
@_exported import class Foundation.UserDefaults

#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Android)
  @_exported import Android
#endif
