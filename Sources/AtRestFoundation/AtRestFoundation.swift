// A file that imports this module instead of Foundation gets both modules. Declarations of this
// module then take precedence over Foundation's declarations with the same names. In a file that
// imports Foundation as well, such a call is ambiguous and does not compile.
@_exported import Foundation
