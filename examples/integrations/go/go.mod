module integration

go 1.19
