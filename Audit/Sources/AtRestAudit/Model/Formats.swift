// Positions, property lists and archives are part of this module's API.
@_exported import AtRestFormats
