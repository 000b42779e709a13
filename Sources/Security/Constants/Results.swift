import Foundation

// The kinds of results that a call returns, and the keys under which it returns them.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// A Boolean value that is true if the call returns the value, as data.
public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
/// A Boolean value that is true if the call returns the attributes, as a dictionary.
public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
/// A Boolean value that is true if the call returns an object, such as a ``SecKey``.
public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
/// A Boolean value that is true if the call returns a reference that outlives the process.
public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
/// The value of an item: data.
public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
/// An item as an object, such as a ``SecKey``.
public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
/// A reference to an item that outlives the process: data.
public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"
