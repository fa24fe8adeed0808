# Measures this laptop for its listing.
#
#   powershell -ExecutionPolicy Bypass -File windows.ps1 SHOP CODE
#       shows the report, asks, and sends it
#   powershell -ExecutionPolicy Bypass -File windows.ps1 SHOP CODE -File
#       writes the report to a file, for a laptop without a network
#
# SHOP is the shop's address and CODE the one-time code of its page. The script installs nothing and changes nothing: it
# copies what Windows reports about the machine, and the shop reads it. Run it as administrator: otherwise Windows hides
# some values, such as the wear of the drives, and the shop shows them as unknown.
#
# What is sent:
#   - maker, model and serial number of the laptop, its mainboard and its firmware, and the firmware's date
#   - processor, memory modules, graphics adapters, and the edition of Windows
#   - each drive, memory card and USB stick: model, serial number, size, health and hours of use; nothing that is on it
#   - each screen that was ever connected, as it describes itself (EDID)
#   - the battery: model, capacity when new and now, charge cycles; not when it was used
#   - whether an organization manages the laptop, and the name of its domain
#   - on a Lenovo, whether a firmware password is set
#   - of each command that failed, what Windows says about it
#
# The report is text: a line "== NAME" begins a section, and each line of its content is indented by a tab.
param(
  [Parameter(Mandatory)][string]$Shop,
  [Parameter(Mandatory)][string]$Code,
  [switch]$File
)
# A command that fails must not end the script. Write-Section reports its errors.
$ErrorActionPreference = 'Continue'

# Writes a section: with properties, these properties of each object as JSON; without, each text as a line. A line
# "error: MESSAGE" follows for each error.
function Write-Section([string]$Name, [scriptblock]$Collect, [string[]]$Properties) {
  "== $Name"
  try {
    $output = @(& $Collect 2>&1)
  } catch {
    $output = @($_)
  }
  $values = @($output | Where-Object { $null -ne $_ -and $_ -isnot [System.Management.Automation.ErrorRecord] })
  if ($Properties) {
    # One by one, because Windows PowerShell and PowerShell 7 write some arrays differently.
    $objects = @($values | Select-Object -Property $Properties | ForEach-Object { ConvertTo-Json -InputObject $_ -Compress })
    "`t[" + ($objects -join ',') + ']'
  } else {
    $values | ForEach-Object { "`t" + $_ }
  }
  $output | Where-Object { $_ -is [System.Management.Automation.ErrorRecord] } | ForEach-Object {
    $message = ($_.Exception.Message -replace '\s+', ' ').Trim()
    "`t" + 'error: ' + $message.Substring(0, [Math]::Min(200, $message.Length))
  } | Select-Object -Unique | Select-Object -First 5
}

# Returns what powercfg says about each battery. Its report has the history of use as well, which is not sent.
function Get-BatteryReport {
  $path = [IO.Path]::Combine([IO.Path]::GetTempPath(), [IO.Path]::GetRandomFileName() + '.xml')
  try {
    powercfg /batteryreport /xml /output $path | Out-Null
    if (-not [IO.File]::Exists($path)) { throw 'powercfg wrote no report.' }
    $document = New-Object System.Xml.XmlDocument
    $document.Load($path)
    $document.BatteryReport.Batteries.Battery
  } finally {
    [IO.File]::Delete($path)
  }
}

function Get-Report {
  'laptop-report 1'
  "code $Code"
  'system windows'
  Write-Section 'product' { Get-CimInstance -ClassName Win32_ComputerSystemProduct } Vendor, Name, Version, IdentifyingNumber
  Write-Section 'board' { Get-CimInstance -ClassName Win32_BaseBoard } Manufacturer, Product, SerialNumber
  Write-Section 'firmware' { Get-CimInstance -ClassName Win32_BIOS } Manufacturer, SMBIOSBIOSVersion, SerialNumber
  Write-Section 'firmware-date' {
    # The date is midnight in UTC. The user's culture may count years from another era.
    $date = (Get-CimInstance -ClassName Win32_BIOS).ReleaseDate.ToUniversalTime()
    $date.ToString('yyyy-MM-dd', [Globalization.CultureInfo]::InvariantCulture)
  }
  Write-Section 'processor' { Get-CimInstance -ClassName Win32_Processor } Name, NumberOfCores
  Write-Section 'memory' { Get-CimInstance -ClassName Win32_PhysicalMemory } Capacity, ConfiguredClockSpeed, SMBIOSMemoryType
  Write-Section 'graphics' { Get-CimInstance -ClassName Win32_VideoController } Name, PNPDeviceID
  Write-Section 'drives' { Get-PhysicalDisk } DeviceId, FriendlyName, MediaType, BusType, Size, SerialNumber, HealthStatus
  Write-Section 'drive-wear' { Get-PhysicalDisk | Get-StorageReliabilityCounter } DeviceId, Wear, PowerOnHours, ReadErrorsUncorrected
  Write-Section 'screen-connection' { Get-CimInstance -Namespace root/WMI -ClassName WmiMonitorConnectionParams } InstanceName, VideoOutputTechnology
  Write-Section 'edids' {
    Get-ItemProperty -Path 'HKLM:\SYSTEM\CurrentControlSet\Enum\DISPLAY\*\*\Device Parameters' -Name EDID | ForEach-Object {
      $_.PSPath
      ($_.EDID | ForEach-Object { $_.ToString('x2') }) -join ' '
    }
  }
  # On many laptops Get-CimInstance fails for this class with "Generic failure". Get-WmiObject, which only Windows
  # PowerShell has, and powercfg do not.
  Write-Section 'battery-design' { Get-CimInstance -Namespace root/WMI -ClassName BatteryStaticData } InstanceName, DesignedCapacity, DeviceName
  Write-Section 'battery-design-wmi' { Get-WmiObject -Namespace root/WMI -Class BatteryStaticData } InstanceName, DesignedCapacity, DeviceName
  Write-Section 'battery-full' { Get-CimInstance -Namespace root/WMI -ClassName BatteryFullChargedCapacity } InstanceName, FullChargedCapacity
  Write-Section 'battery-cycles' { Get-CimInstance -Namespace root/WMI -ClassName BatteryCycleCount } InstanceName, CycleCount
  Write-Section 'battery-report' { Get-BatteryReport } Id, LongTerm, RelativeCapacity, DesignCapacity, FullChargeCapacity, CycleCount
  Write-Section 'system' { Get-CimInstance -ClassName Win32_OperatingSystem } Caption, Version
  Write-Section 'lenovo-passwords' { Get-CimInstance -Namespace root/WMI -ClassName Lenovo_BiosPasswordSettings } PasswordState
  Write-Section 'join-state' {
    dsregcmd /status | Select-String 'AzureAdJoined|DomainJoined|EnterpriseJoined' | ForEach-Object { $_.Line.Trim() }
  }
  Write-Section 'autopilot' { Get-ItemProperty -Path 'HKLM:\SOFTWARE\Microsoft\Provisioning\Diagnostics\Autopilot' } CloudAssignedTenantDomain, IsAutopilotDisabled
  # Shows that the report is complete.
  '== end'
}

$report = (Get-Report) -join "`n"
$reportPath = [IO.Path]::Combine($PWD.ProviderPath, 'laptop-report.txt')

if ($File) {
  [IO.File]::WriteAllText($reportPath, $report)
  "Written to $reportPath"
  'Upload this file on the page that showed you the code.'
  exit 0
}

'This will be sent:'
''
$report
''
$answer = Read-Host "Send these $($report.Length) characters to ${Shop}? [y/N]"
if ($answer -notmatch '^(y|yes)$') {
  'Nothing was sent.'
  exit 0
}

try {
  # Windows PowerShell on older versions of Windows 10 offers only TLS 1.0 by itself.
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  $body = [Text.Encoding]::UTF8.GetBytes($report)
  Invoke-RestMethod -Method Post -Uri "$Shop/measurements" -ContentType 'text/plain' -Body $body -TimeoutSec 60 -ErrorAction Stop
} catch {
  # The shop's answer, if there was one.
  $reason = if ($_.ErrorDetails) { $_.ErrorDetails.Message } else { $_.Exception.Message }
  [IO.File]::WriteAllText($reportPath, $report)
  "The shop did not accept the report: $reason"
  "It is in $reportPath"
  'You can upload this file on the page with the code.'
  exit 1
}
